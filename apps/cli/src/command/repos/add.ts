import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { SET_OPTION, SETTINGS, settingsOf } from '../repo-settings.ts';

interface AddOptions extends RemoteOptions {
  readonly branch?: string;
  readonly setup?: string;
  readonly setupNetwork?: true;
  readonly test?: string;
  readonly set?: string[];
  readonly tokenStdin?: true;
}

export function addReposAddCommand(repos: Command, finish: Finish): void {
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
