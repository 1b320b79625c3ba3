import type { Lease } from '@sluice/core';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { NumberedIssue } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import type { Write } from '../store/store-context.ts';

/**
 * Holds while the lease is the issue's current one. Time plays no part: an expired lease stays valid until another
 * worker claims the issue or a change from outside ends it. Both raise the epoch and replace or clear the owner.
 */
export function isHeldBy({ issues }: Tables, lease: Lease): SQL | undefined {
  return and(eq(issues.id, lease.issueId), eq(issues.leaseOwner, lease.owner), eq(issues.leaseEpoch, lease.epoch));
}

/** What a fenced write changes in the issue's row. */
interface Held {
  /** How many events it writes. */
  readonly events: number;
  readonly set?: Partial<Record<'inputTokens' | 'outputTokens' | 'costUsd' | 'notesReadSeq', SQL>>;
}

/**
 * Raises the issue's event number by `events` if the lease is still current; null when it is lost. This is the first
 * statement of every fenced write: from here to the commit no other transaction writes this issue.
 */
export async function holdIssue(
  write: Write,
  lease: Lease,
  { events, set = {} }: Held = { events: 0 },
): Promise<NumberedIssue | null> {
  const { tables } = write.context.database;
  const { issues } = tables;
  const [issue] = await write.db
    .update(issues)
    .set({ ...set, lastSeq: sql`${issues.lastSeq} + ${events}` })
    .where(isHeldBy(tables, lease))
    .returning({ id: issues.id, userId: issues.userId, lastSeq: issues.lastSeq });
  return issue === undefined ? null : { ...issue, epoch: lease.epoch };
}
