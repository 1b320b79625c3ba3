import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';

export function addReposSearchCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'search', {
    description: 'find code by words and by meaning',
    examples: [
      'sluice repos search acme/shop where a discount is taken off',
      'sluice repos search shop total --limit 3',
    ],
  })
    .argument('<repository>', 'its name, or the end of its id')
    .argument('<words...>', 'what to look for')
    .option('--limit <number>', 'how many, 1 to 50', wholeNumber)
    .action(async (given: string, words: string[], options: RemoteOptions & { limit?: number }) => {
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderHits } = await import('../../render/render-repos.ts');
      const { limit } = options;
      await withRemote(options, async ({ client, output }) => {
        const id = await findRepo(client, given);
        const asked = { id, q: words.join(' '), ...(limit === undefined ? {} : { limit }) };
        const hits = await client.repos.search.query(asked);
        output.data(hits, (style) => renderHits(hits.items, style));
      });
      finish(exitCode.done);
    });
}
