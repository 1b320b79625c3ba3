import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

const commands = {
  cancel: {
    description: 'stop an issue; it stays in the list as cancelled',
    examples: ['sluice issues cancel 0c2d3e4f', 'sluice issues cancel 0c2d3e4f --yes'],
    ask: 'Cancel',
    done: 'is cancelled',
  },
  delete: {
    description: 'delete an ended issue for good, with its plan, its events and its log',
    examples: ['sluice issues delete 0c2d3e4f', 'sluice issues delete 0c2d3e4f --yes'],
    ask: 'Delete for good',
    done: 'is deleted',
  },
} as const;

/** `cancel` and `delete`: what they end does not come back. */
export function addEndCommands(issues: Command, finish: Finish): void {
  for (const name of ['cancel', 'delete'] as const) {
    const { ask, done } = commands[name];
    remoteCommand(issues, name, commands[name])
      .argument('<issue>', 'the end of its id')
      .option('-y, --yes', 'do not ask')
      .action(async (given: string, options: RemoteOptions & { yes?: true }) => {
        const { confirmed } = await import('../../terminal/confirm.ts');
        const { findIssue } = await import('../../session/find-by-suffix.ts');
        const { plainLine } = await import('../../terminal/plain-text.ts');
        await withRemote(options, async ({ client, output }) => {
          const { id, title } = await client.issues.get.query({ id: await findIssue(client, given) });
          await confirmed(`${ask} "${plainLine(title)}"?`, options.yes === true);
          await client.issues[name].mutate({ id });
          output.talk(`"${plainLine(title)}" ${done}.`);
        });
        finish(exitCode.done);
      });
  }
}
