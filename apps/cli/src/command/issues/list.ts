import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';

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
      'sluice issues list --status awaiting_approval    those that wait for you',
      'sluice issues list --repo acme/shop --search discount --json',
      'sluice issues list --repo acme/shop --codehost   the open ones there, to import one',
    ],
  })
    .option('--status <status...>', 'only those in one of these statuses')
    .option('--repo <repository>', 'only those of a repository: its name, or the end of its id')
    .option('--search <words>', 'only those with these words in title or body')
    .option('--limit <number>', 'how many, 1 to 100', wholeNumber)
    .option('--cursor <cursor>', 'go on where the last list ended')
    .option('--codehost', 'the open issues of --repo at the code host')
    .option('--page <number>', 'with --codehost: which page', wholeNumber)
    .action(async (options: ListOptions) => {
      if (options.codehost === true && options.repo === undefined) {
        throw new CommandError(exitCode.usage, 'Say of which repository: --codehost needs --repo.');
      }
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderCodeHostIssues, renderIssues } = await import('../../render/render-issues.ts');
      const status = await knownStatuses(options.status);
      const { repo, search, limit, cursor, page } = options;
      await withRemote(options, async ({ client, output }) => {
        if (options.codehost === true && repo !== undefined) {
          const there = await client.repos.issues.query({
            id: await findRepo(client, repo),
            ...(page === undefined ? {} : { page }),
            ...(limit === undefined ? {} : { per_page: limit }),
          });
          output.data(there, (style) => renderCodeHostIssues(there.items, style));
          if (there.next_page !== null) output.talk(`There are more: --page ${there.next_page}`);
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
        if (list.next_cursor !== null) output.talk(`There are more: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}

async function knownStatuses(given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const { issueStatuses } = await import('@sluice/core');
  const known = issueStatuses.filter((status) => given.includes(status));
  const unknown = given.filter((status) => !known.some((one) => one === status));
  if (unknown.length === 0) return known;
  throw new CommandError(
    exitCode.usage,
    `There is no status ${unknown.join(', ')}: it is ${issueStatuses.join(', ')}.`,
  );
}
