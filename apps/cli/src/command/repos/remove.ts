import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

export function addReposRemoveCommand(repos: Command, finish: Finish): void {
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
