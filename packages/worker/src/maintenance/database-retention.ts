import type { IssueId, WalkPosition } from '@sluice/core';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';

/** Clears away what is over, a little at each sweep. */
export interface DatabaseRetention {
  sweep(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROUND_MS = HOUR_MS; // nothing of this is urgent
const DELIVERIES_KEPT_MS = 7 * DAY_MS; // a host sends one again for three days
const ROWS = 500; // a few milliseconds of a transaction, whatever the engine
const ISSUES = 200;
const CALLS_A_SWEEP = 20; // so that a worker that stops is not kept, and others write in between

/**
 * Makes a keeper that goes through the database once an hour, beginning at once. Sessions, sign-ins and named requests
 * go a day after they are over. The history of ended issues goes after `eventRetentionMs`; without it, never.
 */
export function createDatabaseRetention(
  { upkeep, codehostInbox, clock }: Pick<WorkerDeps, 'upkeep' | 'codehostInbox' | 'clock'>,
  { eventRetentionMs }: Pick<WorkerOptions, 'eventRetentionMs'>,
): DatabaseRetention {
  let roundAt = 0;
  let isExpiredLeft = false;
  let isHistoryLeft = false;
  /** Undefined: the walk has not begun. */
  let after: WalkPosition | undefined;
  let issueIds: readonly IssueId[] = [];

  async function forgetSome(endedBefore: Date): Promise<void> {
    for (let calls = 0; calls < CALLS_A_SWEEP; calls++) {
      const [issueId] = issueIds;
      if (issueId !== undefined) {
        const rows = await upkeep.forgetHistory(issueId, { endedBefore, limit: ROWS });
        if (rows === 0) issueIds = issueIds.slice(1);
      } else if (after === null) {
        after = undefined;
        isHistoryLeft = false;
        return;
      } else {
        const page = await upkeep.withOldHistory({ endedBefore, after: after ?? null, limit: ISSUES });
        issueIds = page.issueIds;
        after = page.next;
      }
    }
  }

  return {
    async sweep() {
      const now = clock.now().getTime();
      if (now >= roundAt) {
        roundAt = now + ROUND_MS;
        isExpiredLeft = true;
        isHistoryLeft = eventRetentionMs !== null;
        await codehostInbox.forgetDeliveries(new Date(now - DELIVERIES_KEPT_MS));
      }
      if (isExpiredLeft) isExpiredLeft = await upkeep.clearExpired({ before: new Date(now - DAY_MS), limit: ROWS });
      if (isHistoryLeft && eventRetentionMs !== null) await forgetSome(new Date(now - eventRetentionMs));
    },
  };
}
