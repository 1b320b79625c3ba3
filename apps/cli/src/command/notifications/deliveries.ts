import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { TARGET_ARGUMENT } from './target-options.ts';

const STATUSES = ['pending', 'delivered', 'given_up'] as const;

interface ListOptions extends RemoteOptions {
  readonly status?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addNotificationsDeliveriesCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'deliveries', {
    description: 'list what was sent to a notification target, newest first',
    examples: [
      'sluice notifications deliveries 9e4d21aa',
      'sluice notifications deliveries 9e4d21aa --status given_up',
      "sluice notifications deliveries email --jq '.items[].last_error'",
    ],
  })
    .argument(...TARGET_ARGUMENT)
    .option('--status <state>', `only those that are ${STATUSES.join(', ')}`)
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .action(async (given: string, options: ListOptions) => {
      const { renderDeliveries } = await import('../../render/render-notifications.ts');
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      const { limit, cursor } = options;
      const status = STATUSES.find((one) => one === options.status);
      if (options.status !== undefined && status === undefined) {
        throw new CommandError(exitCode.usage, `Unknown status ${options.status}: use ${STATUSES.join(', ')}.`);
      }
      await withRemote(options, async ({ client, output }) => {
        const { id } = await findTarget(client, given);
        const list = await client.notifications.deliveries.query({
          id,
          ...(status === undefined ? {} : { status }),
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        await output.longData(list, (style, page) => renderDeliveries(list.items, { style, page }));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}

interface ReplayOptions extends RemoteOptions {
  readonly from?: string;
  readonly until?: string;
  readonly onlyGivenUp?: true;
}

export function addNotificationsReplayCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'replay', {
    description: 'send deliveries again: one of them, or those of a range of time',
    examples: [
      'sluice notifications replay 9e4d21aa 0c2d3e4f-…                 the id of a delivery',
      'sluice notifications replay 9e4d21aa --from 2026-11-20 --only-given-up',
      'sluice notifications replay 9e4d21aa --from 2026-11-20T08:00 --until 2026-11-20T12:00',
    ],
  })
    .argument(...TARGET_ARGUMENT)
    .argument('[delivery]', 'id of a delivery, or a unique ending of the id of one of the last 100')
    .option('--from <time>', 'deliveries that were created from this time on')
    .option('--until <time>', 'deliveries that were created before this time (default: now)')
    .option('--only-given-up', 'leave out messages that were delivered')
    .action(async (given: string, delivery: string | undefined, options: ReplayOptions) => {
      if ((delivery === undefined) === (options.from === undefined)) {
        throw new CommandError(exitCode.usage, 'Pass either a delivery or --from.');
      }
      const { findDelivery, findTarget } = await import('../../session/find-by-suffix.ts');
      const range = {
        from: instantOf('--from', options.from),
        to: endOf(options.until),
        ...(options.onlyGivenUp === undefined ? {} : { only_given_up: true }),
      };
      if (options.from !== undefined && range.to <= range.from) {
        throw new CommandError(exitCode.usage, 'Pass a --from in the past that is earlier than --until.');
      }
      await withRemote(options, async ({ client, output }) => {
        const { id } = await findTarget(client, given);
        let replayed = 0;
        if (delivery !== undefined) {
          const deliveryId = await findDelivery(client, { targetId: id, given: delivery });
          ({ replayed } = await client.notifications.replay.mutate({ id, delivery_id: deliveryId }));
        } else {
          for (let from: string | null = range.from; from !== null; ) {
            const done = await client.notifications.replay.mutate({ id, ...range, from });
            replayed += done.replayed;
            from = done.next_from;
          }
        }
        output.data({ replayed }, () => `${replayed} ${replayed === 1 ? 'delivery is' : 'deliveries are'} sent again.`);
      });
      finish(exitCode.done);
    });
}

/** Not later than now: what this command sends again is not sent once more. */
function endOf(until: string | undefined): string {
  return new Date(Math.min(Date.parse(instantOf('--until', until)), Date.now())).toISOString();
}

/** A time or a day in the user's time zone, as the server reads it. Without one: now. */
function instantOf(option: string, text: string | undefined): string {
  if (text === undefined) return new Date().toISOString();
  // A day alone would be read as one of UTC.
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new CommandError(
    exitCode.usage,
    `${option} ${text}: it must be a time such as 2026-11-20 or 2026-11-20T08:00.`,
  );
}
