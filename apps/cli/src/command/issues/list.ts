import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

interface ListOptions extends RemoteOptions {
  readonly status?: string[];
  readonly repo?: string;
  readonly search?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly codehost?: true;
  readonly page?: number;
}

export function addIssuesListCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'list', {
    description: 'list your issues, newest first',
    examples: [
      'sluice issues list',
      'sluice issues list --status awaiting_approval    waiting for your decision',
      'sluice issues list --repo acme/shop --search discount --json',
      'sluice issues list --repo acme/shop --codehost   open issues at the code host, to import',
    ],
  })
    .option('--status <status...>', 'only issues with one of these statuses')
    .option('--repo <repository>', `only issues of this repository: ${REPO_ARGUMENT[1]}`)
    .option('--search <words>', 'only issues with these words in the title or body')
    .option('--limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .option('--codehost', 'list the open issues of --repo at the code host')
    .option('--page <number>', 'with --codehost: page number', positiveInteger)
    .action(async (options: ListOptions) => {
      if (options.codehost === true && options.repo === undefined) {
        throw new CommandError(exitCode.usage, '--codehost requires --repo.');
      }
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderCodeHostIssues, renderIssues } = await import('../../render/render-issues.ts');
      const status = await parseStatuses(options.status);
      const { repo, search, limit, cursor, page } = options;
      await withRemote(options, async ({ client, output }) => {
        if (options.codehost === true && repo !== undefined) {
          const open = await client.repos.issues.query({
            id: await findRepo(client, repo),
            ...(page === undefined ? {} : { page }),
            ...(limit === undefined ? {} : { per_page: limit }),
          });
          output.data(open, (style) => renderCodeHostIssues(open.items, style));
          if (open.next_page !== null) output.message(`More results: --page ${open.next_page}`);
          return;
        }
        const list = await client.issues.list.query({
          ...(status === undefined ? {} : { status }),
          ...(repo === undefined ? {} : { repo_id: await findRepo(client, repo) }),
          ...(search === undefined ? {} : { q: search }),
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        output.data(list, (style) => renderIssues(list.items, style));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}

async function parseStatuses(given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const { issueStatuses } = await import('@sluice/core');
  const known = issueStatuses.filter((status) => given.includes(status));
  const unknown = given.filter((status) => !known.some((one) => one === status));
  if (unknown.length === 0) return known;
  throw new CommandError(
    exitCode.usage,
    `Unknown status ${unknown.join(', ')}. The statuses are ${issueStatuses.join(', ')}.`,
  );
}
