import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand, positiveInteger } from '../add-command.ts';
import { OPTIONAL_REPO_ARGUMENT, REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { SET_OPTION, SETTINGS, settingsOf } from '../repo-settings.ts';
import { addReposEditCommand } from './edit.ts';

export function addReposCommands(program: Command, finish: Finish): void {
  const repos = addCommand(program, 'repos', {
    description: 'manage the repositories that are registered with a server',
    examples: ['sluice repos add acme/shop', 'sluice repos list', 'sluice repos add --help'],
  });
  addReposAddCommand(repos, finish);
  addReposListCommand(repos, finish);
  addReposShowCommand(repos, finish);
  addReposEditCommand(repos, finish);
  addReposRemoveCommand(repos, finish);
  addReposSearchCommand(repos, finish);
}

function addReposShowCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'show', {
    description: 'show a repository',
    examples: [
      'sluice repos show                 the repository of the current folder',
      'sluice repos show acme/shop',
      'sluice repos show 1f0c2d3e --jq .default_branch',
    ],
  })
    .argument(...OPTIONAL_REPO_ARGUMENT)
    .option('-w, --web', 'open its page in a browser')
    .action(async (given: string | undefined, options: RemoteOptions & { web?: true }) => {
      const { openPage } = await import('../../terminal/open-page.ts');
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      await withRemote(options, async ({ client, output }) => {
        const repo = await client.repos.get.query({ id: await chosenRepo(client, given) });
        if (options.web === true) return openPage(output, repo.url, 'The repository is a folder of the server.');
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}

function addReposRemoveCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'remove', {
    description: 'remove a repository and its issues from the server; the repository itself is not touched',
    examples: ['sluice repos remove acme/shop', 'sluice repos remove 1f0c2d3e --yes'],
  })
    .argument(...REPO_ARGUMENT)
    .option('-y, --yes', 'skip the confirmation')
    .action(async (given: string, options: RemoteOptions & { yes?: true }) => {
      const { confirm } = await import('../../terminal/confirm.ts');
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { plainLine } = await import('../../terminal/plain-text.ts');
      await withRemote(options, async ({ client, output }) => {
        const { id, name } = await client.repos.get.query({ id: await findRepo(client, given) });
        await confirm(`Remove ${plainLine(name)} and its issues?`, options.yes === true);
        await client.repos.delete.mutate({ id });
        output.message(`Removed ${plainLine(name)}.`);
      });
      finish(exitCode.done);
    });
}

function addReposSearchCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'search', {
    description: 'search the code by words and by meaning',
    examples: [
      'sluice repos search acme/shop where a discount is taken off',
      'sluice repos search shop total --limit 3',
    ],
  })
    .argument(...REPO_ARGUMENT)
    .argument('<words...>', 'words to search for')
    .option('-L, --limit <number>', 'maximum number of results, 1 to 50', positiveInteger)
    .action(async (given: string, words: string[], options: RemoteOptions & { limit?: number }) => {
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderHits } = await import('../../render/render-repos.ts');
      const { limit } = options;
      await withRemote(options, async ({ client, output }) => {
        const id = await findRepo(client, given);
        const query = { id, q: words.join(' '), ...(limit === undefined ? {} : { limit }) };
        const hits = await client.repos.search.query(query);
        output.data(hits, (style) => renderHits(hits.items, style));
      });
      finish(exitCode.done);
    });
}

interface ListOptions extends RemoteOptions {
  readonly codehost?: true;
  readonly search?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

function addReposListCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'list', {
    description: 'list your repositories, newest first',
    examples: [
      'sluice repos list',
      'sluice repos list --codehost --search shop    repositories at the code host, to add',
      'sluice repos list --json | jq .items',
    ],
  })
    .option('--codehost', 'list the repositories of your account at the code host')
    .option('--search <words>', 'with --codehost: only repositories with these words')
    .option('--page <number>', 'with --codehost: page number', positiveInteger)
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .action(async (options: ListOptions) => {
      const { renderCodeHostRepos, renderRepos } = await import('../../render/render-repos.ts');
      const { limit, cursor, page, search } = options;
      await withRemote(options, async ({ client, output }) => {
        if (options.codehost === true) {
          const list = await client.codehost.repos.query({
            ...(page === undefined ? {} : { page }),
            ...(limit === undefined ? {} : { per_page: limit }),
            ...(search === undefined ? {} : { q: search }),
          });
          output.data(list, (style, sheet) => renderCodeHostRepos(list.items, { style, page: sheet }));
          if (list.next_page !== null) output.message(`More results: --page ${list.next_page}`);
          return;
        }
        const list = await client.repos.list.query({
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        await output.longData(list, (style, sheet) => renderRepos(list.items, { style, page: sheet }));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}

interface AddOptions extends RemoteOptions {
  readonly branch?: string;
  readonly setup?: string;
  readonly setupNetwork?: true;
  readonly test?: string;
  readonly set?: string[];
  readonly tokenStdin?: true;
}

function addReposAddCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'add', {
    description: 'register a repository with the server',
    examples: [
      'sluice repos add acme/shop                        at the code host, with your linked account',
      'sluice repos add https://git.example.com/shop.git',
      'sluice repos add ./shop                           a folder, if the server runs on this machine',
      "sluice repos add acme/shop --setup-network --test 'npm run unit'",
    ],
    notes: SETTINGS,
  })
    .argument('<repository>', 'owner/name at the code host, a URL, or a folder')
    .option('--branch <branch>', "branch to start from (default: the repository's default branch)")
    .option('--setup <command>', 'setup command (default: detected from the lockfile)')
    .option('--setup-network', 'let the setup command access the package registries')
    .option('--test <command>', 'test command (default: detected from the files)')
    .option(...SET_OPTION)
    .option('--token-stdin', 'read an access token for the repository from standard input')
    .action(async (given: string, options: AddOptions) => {
      const { givenText } = await import('../../terminal/given-text.ts');
      const { repoReference } = await import('../../local/repo-address.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      const reference = await repoReference(given);
      const settings = settingsOf(options.set, options.setupNetwork);
      const token = options.tokenStdin === true ? await givenText('-') : null;
      await withRemote(options, async ({ client, output }) => {
        const { branch, setup, test } = options;
        const repo = await client.repos.create.mutate({
          ...reference,
          ...(token === null ? {} : { access_token: token }),
          ...(branch === undefined ? {} : { default_branch: branch }),
          ...(setup === undefined ? {} : { setup_command: setup }),
          ...(test === undefined ? {} : { test_command: test }),
          ...(settings === null ? {} : { settings }),
        });
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}
