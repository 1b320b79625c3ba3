import type { IssueId } from '@sluice/core/id';
import type { WalkPosition } from '@sluice/core/operation';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';

/** Deletes expired rows, a few at each run. */
export interface DatabaseRetention {
  run(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROUND_MS = HOUR_MS; // none of this is urgent
const DELIVERIES_KEPT_MS = 7 * DAY_MS; // a code host redelivers for three days
const NOTIFICATIONS_KEPT_MS = 30 * DAY_MS; // long enough to see why one did not arrive, and to repeat it
const ROWS = 200; // a few milliseconds of a transaction, whatever the engine
const ISSUES = 200;
const CALLS_PER_RUN = 20; // a stopping worker does not wait long, and others can write in between

/**
 * On SQLite a call is done before the event loop turns, and so would be all of them: 20 pieces of a removal are 300 ms.
 * Requests and renewals go on between two calls.
 *
 * @param call returns whether there may be more to do
 */
async function someCalls(call: () => Promise<boolean>): Promise<void> {
  for (let calls = 0; calls < CALLS_PER_RUN && (await call()); calls += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Goes through the database once an hour, starting at once. Sessions, sign-ins and idempotency keys are deleted a day after
 * they expired, deliveries of notifications 30 days after they ended. What was removed by a request is deleted at every run. The history of ended issues is deleted after
 * `eventRetentionMs`, or never when that is null.
 */
export function createDatabaseRetention(
  {
    maintenance,
    codehostInbox,
    deliveries,
    clock,
  }: Pick<WorkerDeps, 'maintenance' | 'codehostInbox' | 'deliveries' | 'clock'>,
  { eventRetentionMs }: Pick<WorkerOptions, 'eventRetentionMs'>,
): DatabaseRetention {
  let roundAt = 0;
  let isExpiredLeft = false;
  let areDeliveriesLeft = false;
  let isHistoryLeft = false;
  /** Undefined: the walk has not started. */
  let after: WalkPosition | undefined;
  let issueIds: readonly IssueId[] = [];

  /** @returns whether there is more to forget */
  async function forget(endedBefore: Date): Promise<boolean> {
    const [issueId] = issueIds;
    if (issueId !== undefined) {
      const rows = await maintenance.forgetHistory(issueId, { endedBefore, limit: ROWS });
      if (rows === 0) issueIds = issueIds.slice(1);
      return true;
    }
    if (after === null) {
      after = undefined;
      isHistoryLeft = false;
      return false;
    }
    const page = await maintenance.withOldHistory({ endedBefore, after: after ?? null, limit: ISSUES });
    issueIds = page.issueIds;
    after = page.next;
    return true;
  }

  return {
    async run() {
      const now = clock.now().getTime();
      if (now >= roundAt) {
        roundAt = now + ROUND_MS;
        isExpiredLeft = true;
        areDeliveriesLeft = true;
        isHistoryLeft = eventRetentionMs !== null;
        await maintenance.optimize();
        await codehostInbox.forgetDeliveries(new Date(now - DELIVERIES_KEPT_MS));
      }
      await someCalls(() => maintenance.deleteRemoved());
      if (isExpiredLeft)
        isExpiredLeft = await maintenance.clearExpired({ before: new Date(now - DAY_MS), limit: ROWS });
      if (areDeliveriesLeft) {
        const before = new Date(now - NOTIFICATIONS_KEPT_MS);
        areDeliveriesLeft = await deliveries.forget({ before, limit: ROWS });
      }
      if (isHistoryLeft && eventRetentionMs !== null) {
        const endedBefore = new Date(now - eventRetentionMs);
        await someCalls(() => forget(endedBefore));
      }
      await someCalls(() => maintenance.releaseSpace());
    },
  };
}
