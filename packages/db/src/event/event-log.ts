import { randomBytes } from 'node:crypto';
import { type ChangedIssue, createSingleFlight, type EventLog, type IssueId, type UserId } from '@sluice/core';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

// Streams read it at each poll; a value of a quarter of a second ago is fresh enough.
const READ_AGAIN_AFTER_MS = 250;
const ONLY = 1;
const EPOCH_BYTES = 4; // two restores in a row must not have the same by chance

const selectEpoch = prepared(({ context, db }) => {
  const { installation } = context.database.tables;
  return db.select({ epoch: installation.epoch }).from(installation);
});

const putEpoch = prepared(({ context, db }, given: Given<{ epoch: string }>) => {
  const { installation } = context.database.tables;
  const { id, epoch } = installation;
  return db
    .insert(installation)
    .values({ id: ONLY, epoch: given('epoch', epoch) })
    .onConflictDoUpdate({ target: id, set: excluded({ epoch }) });
});

interface Range {
  readonly userId: UserId;
  readonly after: number;
  readonly upTo: number | null;
  readonly limit: number | null;
}

/** With and without an end, and with and without a limit. */
const selectChanged = preparedShapes(
  ({ context, db }, given: Given<Range>, { hasEnd, isPage }: { hasEnd: boolean; isPage: boolean }) => {
    const { events } = context.database.tables;
    const { userId, ordinal, issueId, seq } = events;
    const query = db
      .select({ ordinal, issueId, seq })
      .from(events)
      .where(
        and(
          eq(userId, given('userId', userId)),
          gt(ordinal, given('after', ordinal)),
          hasEnd ? lte(ordinal, given('upTo', ordinal)) : undefined,
        ),
      )
      .orderBy(asc(ordinal))
      .$dynamic();
    return isPage ? query.limit(given('limit')) : query;
  },
);

/** Finds events of all issues of a user by their ordinal. */
export function createEventLog(context: StoreContext): EventLog {
  const reading = { context, db: context.database.read };
  const elapsedMs = context.elapsedMs ?? (() => performance.now());
  let epoch: string | null | undefined;
  let settled = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const reads = createSingleFlight<'settled', void>();
  const readSettled = async () => {
    const now = await context.database.settledEvents();
    settled = Math.max(settled, now);
    readAt = elapsedMs();
  };
  return {
    settledUpTo: async () => {
      if (elapsedMs() - readAt < READ_AGAIN_AFTER_MS) return settled; // what was settled stays so
      await reads.run('settled', readSettled);
      return settled;
    },

    epoch: async () => {
      if (epoch === undefined) {
        const [row] = await selectEpoch(reading, {});
        epoch = row?.epoch ?? null;
      }
      return epoch;
    },

    beginEpoch: () =>
      write(context, async (write) => {
        const next = randomBytes(EPOCH_BYTES).toString('hex');
        await putEpoch(write, { epoch: next });
        epoch = next;
      }),

    lastOrdinal: () => context.database.lastEventOrdinal(),

    changed: async (userId, { after, upTo, limit }) => {
      const shape = { hasEnd: upTo !== null, isPage: limit !== null };
      const rows = await selectChanged(reading, shape, { userId, after, upTo, limit });
      const last = rows.at(-1);
      return {
        issues: byIssue(rows),
        upTo: limit !== null && rows.length === limit && last !== undefined ? last.ordinal : upTo,
      };
    },
  };
}

function byIssue(rows: readonly { ordinal: number; issueId: IssueId; seq: number }[]): ChangedIssue[] {
  const found = new Map<IssueId, ChangedIssue>();
  for (const { ordinal, issueId, seq } of rows) {
    const firstSeq = found.get(issueId)?.firstSeq ?? seq;
    found.set(issueId, { issueId, firstSeq, lastSeq: seq, lastOrdinal: ordinal });
  }
  return [...found.values()];
}
