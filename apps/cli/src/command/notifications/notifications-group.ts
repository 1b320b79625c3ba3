import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { addNotificationsAddCommand, addNotificationsEmailCommand } from './add.ts';
import { addNotificationsDeliveriesCommand, addNotificationsReplayCommand } from './deliveries.ts';
import { addNotificationsEditCommand } from './edit.ts';
import { addNotificationsTestCommand } from './send-test.ts';
import { TARGET_ARGUMENT } from './target-options.ts';

export function addNotificationsCommands(program: Command, finish: Finish): void {
  const notifications = addCommand(program, 'notifications', {
    description: 'be told by webhook, chat or e-mail when an issue needs you',
    examples: [
      'sluice notifications email on',
      'sluice notifications add https://hooks.slack.com/services/… --format slack',
      'sluice notifications list',
    ],
  });
  addListCommand(notifications, finish);
  addNotificationsAddCommand(notifications, finish);
  addNotificationsEmailCommand(notifications, finish);
  addShowCommand(notifications, finish);
  addNotificationsEditCommand(notifications, finish);
  addRemoveCommand(notifications, finish);
  addNotificationsTestCommand(notifications, finish);
  addRotateSecretCommand(notifications, finish);
  addNotificationsDeliveriesCommand(notifications, finish);
  addNotificationsReplayCommand(notifications, finish);
}

function addListCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'list', {
    description: 'list where your notifications go, newest first',
    examples: ['sluice notifications list', "sluice notifications list --jq '.items[].disabled_reason'"],
  }).action(async (options: RemoteOptions) => {
    const { renderTargets } = await import('../../render/render-notifications.ts');
    await withRemote(options, async ({ client, output }) => {
      const list = await client.notifications.list.query();
      output.data(list, (style, page) => renderTargets(list.items, { style, page }));
    });
    finish(exitCode.done);
  });
}

function addShowCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'show', {
    description: 'show a notification target: its events, and whether it works',
    examples: ['sluice notifications show 9e4d21aa', 'sluice notifications show email'],
  })
    .argument(...TARGET_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { renderTarget } = await import('../../render/render-notifications.ts');
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const target = await findTarget(client, given);
        output.data(target, (style) => renderTarget(target, style));
      });
      finish(exitCode.done);
    });
}

function addRemoveCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'remove', {
    description: 'remove a notification target with the list of its deliveries',
    examples: ['sluice notifications remove 9e4d21aa', 'sluice notifications remove 9e4d21aa --yes'],
  })
    .argument(...TARGET_ARGUMENT)
    .option('-y, --yes', 'skip the confirmation')
    .action(async (given: string, options: RemoteOptions & { yes?: true }) => {
      const { nameOfTarget } = await import('../../render/render-notifications.ts');
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      const { confirm } = await import('../../terminal/confirm.ts');
      await withRemote(options, async ({ client, output }) => {
        const target = await findTarget(client, given);
        await confirm(`Remove ${nameOfTarget(target)} and the list of its deliveries?`, options.yes === true);
        await client.notifications.delete.mutate({ id: target.id });
        output.message(`Removed ${nameOfTarget(target)}.`);
      });
      finish(exitCode.done);
    });
}

function addRotateSecretCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'rotate-secret', {
    description: 'print a new secret of a webhook; the old one signs beside it for a day',
    examples: [
      'sluice notifications rotate-secret 9e4d21aa',
      'sluice notifications rotate-secret 9e4d21aa --expire-old-now    others may know the old one',
    ],
  })
    .argument(...TARGET_ARGUMENT)
    .option('--expire-old-now', 'the earlier secrets sign no longer')
    .action(async (given: string, options: RemoteOptions & { expireOldNow?: true }) => {
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const { id } = await findTarget(client, given);
        const expire = options.expireOldNow === true ? { expire_old_now: true } : {};
        const rotated = await client.notifications.rotateSecret.mutate({ id, ...expire });
        output.data(rotated, () => rotated.secret);
        output.message('It is shown only now: give it to the receiver.');
      });
      finish(exitCode.done);
    });
}
