import type { ChangedIssue, EventLog, IssueId } from '@sluice/core';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { StoreContext } from '../store/store-context.ts';

// Streams ask at each poll; a value of up to a quarter of a second ago is fresh enough.
const ASK_AGAIN_AFTER_MS = 250;

/** Finds events of all issues of a user by their ordinal. */
export function createEventLog(context: StoreContext): EventLog {
  const { read, tables } = context.database;
  const { events, issues } = tables;
  let settled = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    const now = await context.database.settledEvents();
    settled = Math.max(settled, now);
    askedAt = performance.now();
  };
  return {
    settledUpTo: async () => {
      if (performance.now() - askedAt < ASK_AGAIN_AFTER_MS) return settled; // what was settled stays so
      asking ??= ask().finally(() => {
        asking = null;
      });
      await asking;
      return settled;
    },

    changed: async (userId, { after, upTo, limit }) => {
      const query = read
        .select({ ordinal: events.ordinal, issueId: events.issueId, seq: events.seq })
        .from(events)
        .innerJoin(issues, eq(issues.id, events.issueId))
        .where(
          and(
            eq(issues.userId, userId),
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
