import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '@sluice/client';
import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { TARGET_ARGUMENT } from './target-options.ts';

const WAIT_MS = 25_000; // the server gives a receiver 15 s
const ASK_EVERY_MS = 300;
/** Tests of the same moment come after it in the list. */
const LOOK_AT = 20;

export function addNotificationsTestCommand(notifications: Command, finish: Finish): void {
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
