import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';

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
      'sluice repos list --codehost --search shop    those at the code host, to add one',
      'sluice repos list --json | jq .items',
    ],
  })
    .option('--codehost', 'list what your account at the code host sees')
    .option('--search <words>', 'with --codehost: only those with these words')
    .option('--page <number>', 'with --codehost: which page', wholeNumber)
    .option('--limit <number>', 'how many, 1 to 100', wholeNumber)
    .option('--cursor <cursor>', 'go on where the last list ended')
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
          output.data(list, (style) => renderCodeHostRepos(list.items, style));
          if (list.next_page !== null) output.talk(`There are more: --page ${list.next_page}`);
          return;
        }
        const list = await client.repos.list.query({
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        output.data(list, (style) => renderRepos(list.items, style));
        if (list.next_cursor !== null) output.talk(`There are more: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}
