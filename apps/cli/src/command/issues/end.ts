import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

const commands = {
  cancel: {
    description: 'stop an issue; it stays in the list as cancelled',
    examples: ['sluice issues cancel 0c2d3e4f', 'sluice issues cancel 0c2d3e4f --yes'],
    ask: 'Cancel',
    done: 'Cancelled',
  },
  delete: {
    description: 'permanently delete an ended issue with its plan, events and log',
    examples: ['sluice issues delete 0c2d3e4f', 'sluice issues delete 0c2d3e4f --yes'],
    ask: 'Permanently delete',
    done: 'Deleted',
  },
} as const;

/** `cancel` and `delete`, neither of which can be undone. */
export function addEndCommands(issues: Command, finish: Finish): void {
  for (const name of ['cancel', 'delete'] as const) {
    const { ask, done } = commands[name];
    remoteCommand(issues, name, commands[name])
      .argument(...ISSUE_ARGUMENT)
      .option('-y, --yes', 'skip the confirmation')
      .action(async (given: string, options: RemoteOptions & { yes?: true }) => {
        const { confirm } = await import('../../terminal/confirm.ts');
        const { findIssue } = await import('../../session/find-by-suffix.ts');
        const { plainLine } = await import('../../terminal/plain-text.ts');
        await withRemote(options, async ({ client, output }) => {
          const { id, title } = await client.issues.get.query({ id: await findIssue(client, given) });
          await confirm(`${ask} "${plainLine(title)}"?`, options.yes === true);
          await client.issues[name].mutate({ id });
          output.message(`${done} "${plainLine(title)}".`);
        });
        finish(exitCode.done);
      });
  }
}
