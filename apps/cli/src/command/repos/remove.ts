import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

export function addReposRemoveCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'remove', {
    description: 'forget a repository and its issues here; the repository itself stays as it is',
    examples: ['sluice repos remove acme/shop', 'sluice repos remove 1f0c2d3e --yes'],
  })
    .argument('<repository>', 'its name, or the end of its id')
    .option('-y, --yes', 'do not ask')
    .action(async (given: string, options: RemoteOptions & { yes?: true }) => {
      const { confirmed } = await import('../../terminal/confirm.ts');
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { plainLine } = await import('../../terminal/plain-text.ts');
      await withRemote(options, async ({ client, output }) => {
        const { id, name } = await client.repos.get.query({ id: await findRepo(client, given) });
        await confirmed(`Forget ${plainLine(name)} and its issues?`, options.yes === true);
        await client.repos.delete.mutate({ id });
        output.talk(`${plainLine(name)} is forgotten.`);
      });
      finish(exitCode.done);
    });
}
