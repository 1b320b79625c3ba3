import { randomBytes } from 'node:crypto';
import { type ChangedIssue, createSingleFlight, type EventLog, type IssueId } from '@sluice/core';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

// Streams read it at each poll; a value of a quarter of a second ago is fresh enough.
const READ_AGAIN_AFTER_MS = 250;
const ONLY = 1;
const EPOCH_BYTES = 4; // two restores in a row must not have the same by chance

/** Finds events of all issues of a user by their ordinal. */
export function createEventLog(context: StoreContext): EventLog {
  const { read, tables } = context.database;
  const { events, installation } = tables;
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
        const [row] = await read.select({ epoch: installation.epoch }).from(installation);
        epoch = row?.epoch ?? null;
      }
      return epoch;
    },

    beginEpoch: () =>
      write(context, async ({ db }) => {
        const next = { epoch: randomBytes(EPOCH_BYTES).toString('hex') };
        await db
          .insert(installation)
          .values({ id: ONLY, ...next })
          .onConflictDoUpdate({ target: installation.id, set: next });
        epoch = next.epoch;
      }),

    lastOrdinal: () => context.database.lastEventOrdinal(),

    changed: async (userId, { after, upTo, limit }) => {
      const query = read
        .select({ ordinal: events.ordinal, issueId: events.issueId, seq: events.seq })
        .from(events)
        .where(
          and(
            eq(events.userId, userId),
            gt(events.ordinal, after),
            upTo === null ? undefined : lte(events.ordinal, upTo),
          ),
        )
        .orderBy(asc(events.ordinal))
        .$dynamic();
      const rows = await (limit === null ? query : query.limit(limit));
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
