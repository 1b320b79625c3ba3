import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

export function addReposShowCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'show', {
    description: 'show one repository',
    examples: ['sluice repos show acme/shop', 'sluice repos show 1f0c2d3e --json'],
  })
    .argument('<repository>', 'its name, or the end of its id')
    .action(async (given: string, options: RemoteOptions) => {
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      await withRemote(options, async ({ client, output }) => {
        const repo = await client.repos.get.query({ id: await findRepo(client, given) });
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}
