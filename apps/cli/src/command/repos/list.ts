import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';

interface ListOptions extends RemoteOptions {
  readonly codehost?: true;
  readonly search?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addReposListCommand(repos: Command, finish: Finish): void {
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
