import {
  type IssueId,
  isTerminal,
  type MaintenanceStore,
  milestoneEvents,
  nextStatus,
  statusesWhere,
  type WalkPosition,
} from '@sluice/core';
import { and, asc, eq, exists, gt, inArray, lt, lte, min, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { deleteRemoved } from '../removal/delete-removed.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { clearExpired } from './clear-expired.ts';
import { endRemoved } from './end-removed.ts';

const ended = statusesWhere(isTerminal);
/** Journals are kept while the issue can be retried. */
const withoutRetry = ended.filter((status) => nextStatus(status, 'retried') === null);

/** Ordinals, whether or not their issues are old: SQLite reads them in the event loop, about 2 µs each. */
const WALKED_PER_CALL = 2_000;

/** Retention: deletes expired rows and the history of ended issues. */
export function createMaintenanceStore(context: StoreContext): MaintenanceStore {
  const { database } = context;
  const { issues, events, journalEntries, commandLog } = database.tables;
  const { read } = database;
  return {
    clearExpired: (options) => clearExpired(context, options),
    deleteRemoved: async () => {
      await endRemoved(context);
      return await deleteRemoved(context);
    },
    optimize: () => database.optimize(),
    releaseSpace: () => database.releaseSpace(),

    withOldHistory: async ({ endedBefore, after, limit }) => {
      const start = after ?? 0;
      const end = start + WALKED_PER_CALL;
      const found = await read
        .select({
          ordinal: issues.ordinal,
          id: issues.id,
          isLeft: or(
            exists(read.select({ one: sql`1` }).from(events).where(isForgotten(database))),
            exists(read.select({ one: sql`1` }).from(commandLog).where(eq(commandLog.issueId, issues.id))),
            and(
              inArray(issues.status, withoutRetry),
              exists(read.select({ one: sql`1` }).from(journalEntries).where(eq(journalEntries.issueId, issues.id))),
            ),
          ) as ReturnType<typeof sql<boolean | number>>,
        })
        .from(issues)
        .where(
          and(
            gt(issues.ordinal, start),
            lte(issues.ordinal, end),
            inArray(issues.status, ended),
            lt(issues.finishedAt, endedBefore),
          ),
        )
        .orderBy(asc(issues.ordinal))
        .limit(limit);
      const last = found.length < limit ? undefined : found.at(-1);
      return {
        issueIds: found.filter(({ isLeft }) => Boolean(isLeft)).map(({ id }) => id),
        next: last?.ordinal ?? (await beforeNext(database, end)),
      };
    },

    forgetHistory: (issueId, { endedBefore, limit }) =>
      write(context, async (write) => {
        const issue = await holdEnded(write, issueId, endedBefore);
        if (issue === null) return 0;
        const { db } = write;
        const oldEvents = db
          .select({ ordinal: events.ordinal })
          .from(events)
          .innerJoin(issues, eq(issues.id, events.issueId))
          .where(and(eq(events.issueId, issueId), isForgotten(database)))
          .limit(limit);
        const oldLog = db.select({ seq: commandLog.seq }).from(commandLog).where(eq(commandLog.issueId, issueId));
        const oldJournal = db
          .select({ ordinal: journalEntries.ordinal })
          .from(journalEntries)
          .where(eq(journalEntries.issueId, issueId));
        const deleted = [
          await db.delete(events).where(inArray(events.ordinal, oldEvents)).returning({ of: events.issueId }),
          await db
            .delete(commandLog)
            .where(and(eq(commandLog.issueId, issueId), inArray(commandLog.seq, oldLog.limit(limit))))
            .returning({ of: commandLog.issueId }),
          withoutRetry.includes(issue.status)
            ? await db
                .delete(journalEntries)
                .where(inArray(journalEntries.ordinal, oldJournal.limit(limit)))
                .returning({ of: journalEntries.issueId })
            : [],
        ];
        return deleted.flat().length;
      }),
  };
}

/** The position before the first issue above `ordinal`, which skips the gaps of deleted issues; null when there is none. */
async function beforeNext({ read, tables: { issues } }: Database, ordinal: number): Promise<WalkPosition> {
  const [next] = await read
    .select({ ordinal: min(issues.ordinal) })
    .from(issues)
    .where(gt(issues.ordinal, ordinal));
  return next?.ordinal == null ? null : next.ordinal - 1;
}

/**
 * Selects the events to delete. The last event stays, whatever its type: its number tells readers that they are
 * complete.
 */
function isForgotten({ tables: { events, issues } }: Database) {
  return and(
    eq(events.issueId, issues.id),
    notInArray(events.type, [...milestoneEvents]),
    ne(events.seq, issues.lastSeq),
  );
}

/** Locks the row, so that the issue cannot be retried meanwhile; null unless it ended before `endedBefore`. */
async function holdEnded({ context, db }: Write, issueId: IssueId, endedBefore: Date) {
  const { issues } = context.database.tables;
  const [issue] = await db
    .update(issues)
    .set({ lastSeq: sql`${issues.lastSeq}` })
    .where(and(eq(issues.id, issueId), inArray(issues.status, ended), lt(issues.finishedAt, endedBefore)))
    .returning({ status: issues.status });
  return issue ?? null;
}
