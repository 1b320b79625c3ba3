import type { IssueId, WalkPosition } from '@sluice/core';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';

/** Deletes expired rows, a few at each run. */
export interface DatabaseRetention {
  run(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROUND_MS = HOUR_MS; // none of this is urgent
const DELIVERIES_KEPT_MS = 7 * DAY_MS; // a code host redelivers for three days
const ROWS = 200; // a few milliseconds of a transaction, whatever the engine
const ISSUES = 200;
const CALLS_PER_RUN = 20; // a stopping worker does not wait long, and others can write in between

/** @param call returns whether there may be more to do */
async function someCalls(call: () => Promise<boolean>): Promise<void> {
  for (let calls = 0; calls < CALLS_PER_RUN && (await call()); ) calls += 1;
}

/**
 * Goes through the database once an hour, starting at once. Sessions, sign-ins and idempotency keys are deleted a day after
 * they expired. What was removed by a request is deleted at every run. The history of ended issues is deleted after
 * `eventRetentionMs`, or never when that is null.
 */
export function createDatabaseRetention(
  { maintenance, codehostInbox, clock }: Pick<WorkerDeps, 'maintenance' | 'codehostInbox' | 'clock'>,
  { eventRetentionMs }: Pick<WorkerOptions, 'eventRetentionMs'>,
): DatabaseRetention {
  let roundAt = 0;
  let isExpiredLeft = false;
  let isHistoryLeft = false;
  /** Undefined: the walk has not started. */
  let after: WalkPosition | undefined;
  let issueIds: readonly IssueId[] = [];

  async function forgetSome(endedBefore: Date): Promise<void> {
    for (let calls = 0; calls < CALLS_PER_RUN; calls++) {
      const [issueId] = issueIds;
      if (issueId !== undefined) {
        const rows = await maintenance.forgetHistory(issueId, { endedBefore, limit: ROWS });
        if (rows === 0) issueIds = issueIds.slice(1);
      } else if (after === null) {
        after = undefined;
        isHistoryLeft = false;
        return;
      } else {
        const page = await maintenance.withOldHistory({ endedBefore, after: after ?? null, limit: ISSUES });
        issueIds = page.issueIds;
        after = page.next;
      }
    }
  }

  return {
    async run() {
      const now = clock.now().getTime();
      if (now >= roundAt) {
        roundAt = now + ROUND_MS;
        isExpiredLeft = true;
        isHistoryLeft = eventRetentionMs !== null;
        await maintenance.optimize();
        await codehostInbox.forgetDeliveries(new Date(now - DELIVERIES_KEPT_MS));
      }
      await someCalls(() => maintenance.deleteRemoved());
      if (isExpiredLeft)
        isExpiredLeft = await maintenance.clearExpired({ before: new Date(now - DAY_MS), limit: ROWS });
      if (isHistoryLeft && eventRetentionMs !== null) await forgetSome(new Date(now - eventRetentionMs));
      await someCalls(() => maintenance.releaseSpace());
    },
  };
}
