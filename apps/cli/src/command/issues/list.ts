import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { positiveInteger } from '../add-command.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { addFieldOptions, listFilter, listOptions } from './field-options.ts';

interface ListOptions extends RemoteOptions {
  readonly status?: string[];
  readonly repo?: string;
  readonly all?: true;
  readonly search?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly codehost?: true;
  readonly mine?: true;
  readonly page?: number;
}

export function addIssuesListCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'list', {
    description: 'list the issues that you may read, newest first',
    examples: [
      'sluice issues list',
      'sluice issues list --status awaiting_approval    waiting for your decision',
      'sluice issues list -R acme/shop --search discount --jq ".items[].title"',
      'sluice issues list -R acme/shop --codehost       open issues at the code host, to import',
    ],
  })
    .option('--mine', 'only issues that you created')
    .option('--status <status...>', 'only issues with one of these statuses')
    .option(...REPO_OPTION)
    .option('-a, --all', 'issues of all repositories, also in the folder of one')
    .option('--search <words>', 'only issues with these words in the title or body; with --codehost: in the title')
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .option('--codehost', 'list the open issues of --repo at the code host')
    .option('--page <number>', 'with --codehost: page number', positiveInteger);
  addFieldOptions(command, listOptions).action(async (options: ListOptions) => {
    const { chosenRepo } = await import('../../local/current-repo.ts');
    const { renderCodeHostIssues, renderIssues } = await import('../../render/render-issues.ts');
    const { issuePage } = await import('../../session/issue-page.ts');
    const { repoNames } = await import('../../session/repo-names.ts');
    const status = await parseStatuses(options.status);
    const { search, limit, cursor, page } = options;
    await withRemote(options, async ({ client, output }) => {
      if (options.codehost === true) {
        const open = await client.repos.issues.query({
          id: await chosenRepo(client, options.repo),
          ...(search === undefined ? {} : { q: search }),
          ...(page === undefined ? {} : { page }),
          ...(limit === undefined ? {} : { per_page: limit }),
        });
        output.data(open, (style, sheet) => renderCodeHostIssues(open.items, { style, page: sheet }));
        if (open.next_page !== null) output.message(`More results: --page ${open.next_page}`);
        return;
      }
      const repoId = await repoToList({ client, output }, options);
      const list = await issuePage(
        { client, output },
        {
          ...(options.mine === true ? { scope: 'mine' } : {}),
          ...(status === undefined ? {} : { status }),
          ...(repoId === null ? {} : { repo_id: repoId }),
          ...(search === undefined ? {} : { q: search }),
          ...listFilter(options),
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      );
      const repos = list.items.map(({ repo_id }) => repo_id);
      const names = output.json ? new Map() : await repoNames(client, repos);
      await output.longData(list, (style, sheet) => renderIssues(list.items, names, { style, page: sheet }));
      if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
    });
    finish(exitCode.done);
  });
}

/** The repository to list the issues of; null for all. In the folder of a registered one, it says that it lists only those. */
async function repoToList({ client, output }: Pick<Remote, 'client' | 'output'>, options: ListOptions) {
  const { chosenRepo, currentRepo } = await import('../../local/current-repo.ts');
  if (options.repo !== undefined) return await chosenRepo(client, options.repo);
  const current = options.all === true ? null : await currentRepo(client);
  if (current === null) return null;
  output.message(`Issues of ${plainLine(current.name)}, the repository of this folder. List all with: --all`);
  return current.id;
}

async function parseStatuses(given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const { issueStatuses } = await import('@sluice/core/issue');
  const known = issueStatuses.filter((status) => given.includes(status));
  const unknown = given.filter((status) => !known.some((one) => one === status));
  if (unknown.length === 0) return known;
  throw new CommandError(
    exitCode.usage,
    `Unknown status ${unknown.join(', ')}. The statuses are ${issueStatuses.join(', ')}.`,
  );
}
