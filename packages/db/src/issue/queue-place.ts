import { and, gt, lt, max, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

// The places of `issues.queue_ordinal`, smaller before larger: held by a budget, which is outside the queue; decided; new.

/** Decided issues are numbered from here and stay below zero, ahead of all new ones: 2^52 decisions fit. */
const FIRST_DECIDED = -(2 ** 52);
/** A place below all places of the queue. */
export const BELOW_QUEUE = FIRST_DECIDED - 1;
/** Issues that a budget holds are numbered from here and stay below `BELOW_QUEUE`. */
const FIRST_HELD = Number.MIN_SAFE_INTEGER;

/** Matches the issues in the queue by a range of its index. (SQLite reads the whole table for `is not null`.) */
export function isQueued({ issues }: Tables): SQL {
  return gt(issues.queueOrdinal, BELOW_QUEUE);
}

/** Matches the issues that a budget holds, by another range of that index. */
export function isHeld({ issues }: Tables): SQL {
  return lt(issues.queueOrdinal, BELOW_QUEUE);
}

/** Whether a place is outside the queue. */
export function isHeldPlace(queueOrdinal: number | null): boolean {
  return queueOrdinal !== null && queueOrdinal < BELOW_QUEUE;
}

const lines = {
  new: { first: 1, where: ({ issues }: Tables) => gt(issues.queueOrdinal, 0) },
  decided: {
    first: FIRST_DECIDED + 1,
    where: ({ issues }: Tables) => and(gt(issues.queueOrdinal, BELOW_QUEUE), lt(issues.queueOrdinal, 0)),
  },
  held: { first: FIRST_HELD, where: isHeld },
} as const;

const lastOf = (line: keyof typeof lines) =>
  prepared(({ context, db }) => {
    const { tables } = context.database;
    return db
      .select({ ordinal: max(tables.issues.queueOrdinal) })
      .from(tables.issues)
      .where(lines[line].where(tables));
  });

const last = { new: lastOf('new'), decided: lastOf('decided'), held: lastOf('held') } as const;

/** The place at the end of the queue, of the decided issues, or of those held. The caller holds the dispatch lock. */
export async function nextQueueOrdinal(write: Write, line: keyof typeof lines): Promise<number> {
  const [found] = await last[line](write, {});
  return found?.ordinal == null ? lines[line].first : found.ordinal + 1;
}
