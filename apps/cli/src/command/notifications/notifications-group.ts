import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '@sluice/client';
import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { addNotificationsAddCommand, addNotificationsEmailCommand } from './add.ts';
import { addNotificationsDeliveriesCommand, addNotificationsReplayCommand } from './deliveries.ts';
import { addNotificationsEditCommand } from './edit.ts';
import { TARGET_ARGUMENT } from './target-options.ts';

export function addNotificationsCommands(program: Command, finish: Finish): void {
  const notifications = addCommand(program, 'notifications', {
    description: 'be notified by webhook, chat or e-mail when an issue needs you',
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
    .option('--expire-old-now', 'stop signing with the earlier secrets at once')
    .action(async (given: string, options: RemoteOptions & { expireOldNow?: true }) => {
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const { id } = await findTarget(client, given);
        const expire = options.expireOldNow === true ? { expire_old_now: true } : {};
        const rotated = await client.notifications.rotateSecret.mutate({ id, ...expire });
        output.data(rotated, () => rotated.secret);
        output.message('The secret is shown only once: give it to the receiver.');
      });
      finish(exitCode.done);
    });
}

const WAIT_MS = 25_000; // the server gives a receiver 15 s
const ASK_EVERY_MS = 300;

/** Tests of the same moment come after it in the list. */
const LOOK_AT = 20;

function addNotificationsTestCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'test', {
    description: 'send a test to a notification target, and wait for its result',
    examples: ['sluice notifications test 9e4d21aa', 'sluice notifications test email'],
  })
    .argument(...TARGET_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { renderOutcome } = await import('../../render/render-notifications.ts');
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async (remote) => {
        const { client, output } = remote;
        const { id } = await findTarget(client, given);
        const delivery = await firstAttempt(remote, await client.notifications.test.mutate({ id }));
        if (delivery.status !== 'delivered') throw new CommandError(exitCode.unexpected, renderOutcome(delivery));
        output.data(delivery, () => renderOutcome(delivery));
      });
      finish(exitCode.done);
    });
}

/** The delivery after its first attempt, or as it is when that takes too long. */
async function firstAttempt({ client }: Pick<Remote, 'client'>, sent: Delivery): Promise<Delivery> {
  const end = performance.now() + WAIT_MS;
  for (let delivery = sent; ; ) {
    const isTried = delivery.next_attempt_at === null || delivery.last_error !== null;
    if (isTried || performance.now() > end) return delivery;
    await sleep(ASK_EVERY_MS);
    const { items } = await client.notifications.deliveries.query({ id: sent.target_id, limit: LOOK_AT });
    delivery = items.find(({ id }) => id === sent.id) ?? delivery;
  }
}
