import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

export function addReposSearchCommand(repos: Command, finish: Finish): void {
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
