import type { Lease } from '@sluice/core/issue';
import type { Usage } from '@sluice/core/pipeline';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type NumberedIssue, numberedColumns } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, preparedShapes } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

/**
 * Holds while the lease is the issue's current one. Time plays no part: an expired lease stays valid until another
 * worker claims the issue or a change from outside ends it. Both raise the epoch and replace or clear the owner.
 */
export function isHeldBy({ issues }: Tables, lease: Lease | Record<keyof Lease, SQL>): SQL | undefined {
  return and(eq(issues.id, lease.issueId), eq(issues.leaseOwner, lease.owner), eq(issues.leaseEpoch, lease.epoch));
}

/** A lease that a prepared statement is given. */
export function givenLease({ issues }: Tables, given: Given<Lease>): Record<keyof Lease, SQL> {
  return {
    issueId: given('issueId', issues.id),
    owner: given('owner', issues.leaseOwner),
    epoch: given('epoch', issues.leaseEpoch),
  };
}

/** What a fenced write changes in the issue's row. */
interface Held {
  /** How many events it writes. */
  readonly events: number;
  /** Added to the issue's. */
  readonly used?: Usage;
  /** The last note that an agent has read, unless a later one was. */
  readonly notesReadSeq?: number;
}

type HeldValues = Lease & { events: number; notesReadSeq: number | undefined } & Partial<Usage>;

const hold = preparedShapes(
  ({ context, db }, given: Given<HeldValues>, parts: { hasUsage: boolean; hasNotes: boolean }) => {
    const { tables } = context.database;
    const { issues } = tables;
    const read = given('notesReadSeq', issues.notesReadSeq);
    return db
      .update(issues)
      .set({
        lastSeq: sql`${issues.lastSeq} + ${given('events', issues.lastSeq)}`,
        ...(parts.hasUsage && {
          inputTokens: sql`${issues.inputTokens} + ${given('input_tokens', issues.inputTokens)}`,
          outputTokens: sql`${issues.outputTokens} + ${given('output_tokens', issues.outputTokens)}`,
          // An unknown price makes the sum unknown, in SQL as in the domain.
          costUsd: sql`${issues.costUsd} + ${given('cost_usd', issues.costUsd)}`,
        }),
        ...(parts.hasNotes && {
          notesReadSeq: sql`case when ${issues.notesReadSeq} < ${read} then ${read} else ${issues.notesReadSeq} end`,
        }),
      })
      .where(isHeldBy(tables, givenLease(tables, given as Given<Lease>)))
      .returning(numberedColumns({ issues }));
  },
);

/**
 * Raises the issue's event number by `events` if the lease is still current; null when it is lost. This is the first
 * statement of every fenced write: from here to the commit no other transaction writes this issue.
 */
export async function holdIssue(
  write: Write,
  lease: Lease,
  { events, used, notesReadSeq }: Held = { events: 0 },
): Promise<NumberedIssue | null> {
  const parts = { hasUsage: used !== undefined, hasNotes: notesReadSeq !== undefined };
  const [issue] = await hold(write, parts, { ...lease, events, notesReadSeq, ...used });
  return issue === undefined ? null : { ...issue, epoch: lease.epoch };
}
