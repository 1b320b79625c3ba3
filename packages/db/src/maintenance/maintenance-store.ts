import type { IssueId } from '@sluice/core/id';
import { isTerminal, milestoneEvents, nextStatus, statusesWhere } from '@sluice/core/issue';
import type { MaintenanceStore, WalkPosition } from '@sluice/core/operation';
import {
  and,
  asc,
  type Column,
  eq,
  exists,
  gt,
  inArray,
  lt,
  lte,
  min,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { admit } from '../issue/admission.ts';
import { deletionOf } from '../removal/delete-history.ts';
import { deleteRemoved } from '../removal/delete-removed.ts';
import { isRemoved } from '../removal/is-visible.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { clearExpired } from './clear-expired.ts';

const ended = statusesWhere(isTerminal);

/** Journals are kept while the issue can be retried. */
const withoutRetry = ended.filter((status) => nextStatus(status, 'retried') === null);

/** Ordinals, whether or not their issues are old: SQLite reads them in the event loop, about 2 µs each. */
const WALKED_PER_CALL = 2_000;

interface Walked {
  readonly start: number;
  readonly end: number;
  readonly endedBefore: Date;
  readonly limit: number;
}

const selectOld = prepared(({ context, db }, given: Given<Walked>) => {
  const { tables } = context.database;
  const { issues, events, journalEntries, commandLog, attachments } = tables;
  const one = { one: sql`1` };
  return db
    .select({
      ordinal: issues.ordinal,
      id: issues.id,
      isLeft: or(
        exists(
          db
            .select(one)
            .from(events)
            .where(isForgotten(tables, { issueId: issues.id, lastSeq: issues.lastSeq })),
        ),
        exists(db.select(one).from(commandLog).where(eq(commandLog.issueId, issues.id))),
        and(
          inArray(issues.status, withoutRetry),
          or(
            exists(db.select(one).from(journalEntries).where(eq(journalEntries.issueId, issues.id))),
            exists(db.select(one).from(attachments).where(eq(attachments.issueId, issues.id))),
          ),
        ),
      ) as ReturnType<typeof sql<boolean | number>>,
    })
    .from(issues)
    .where(
      and(
        gt(issues.ordinal, given('start', issues.ordinal)),
        lte(issues.ordinal, given('end', issues.ordinal)),
        inArray(issues.status, ended),
        lt(issues.finishedAt, given('endedBefore', issues.finishedAt)),
      ),
    )
    .orderBy(asc(issues.ordinal))
    .limit(given('limit'));
});

const selectNext = prepared(({ context, db }, given: Given<{ after: number }>) => {
  const { issues } = context.database.tables;
  return db
    .select({ ordinal: min(issues.ordinal) })
    .from(issues)
    .where(gt(issues.ordinal, given('after', issues.ordinal)));
});

/** Retention: deletes expired rows and the history of ended issues. */
export function createMaintenanceStore(context: StoreContext): MaintenanceStore {
  const { database } = context;
  const reading = { context, db: database.read };
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
      const found = await selectOld(reading, { start, end, endedBefore, limit });
      const last = found.length < limit ? undefined : found.at(-1);
      return {
        issueIds: found.filter(({ isLeft }) => Boolean(isLeft)).map(({ id }) => id),
        next: last?.ordinal ?? (await beforeNext(reading, end)),
      };
    },

    forgetHistory: (issueId, { endedBefore, limit }) =>
      write(context, async (write) => {
        const issue = await holdEnded(write, issueId, endedBefore);
        if (issue === null) return 0;
        const piece = { issueId, lastSeq: issue.lastSeq, left: limit };
        const deleted = [
          await deleteEvents(write, piece),
          await deleteLog(write, piece),
          withoutRetry.includes(issue.status) ? await deleteJournal(write, piece) : { rows: 0 },
          withoutRetry.includes(issue.status) ? await deleteAttachments(write, piece) : { rows: 0 },
        ];
        return deleted.reduce((sum, { rows }) => sum + rows, 0);
      }),
  };
}

/** The position before the first issue above `ordinal`, which skips the gaps of deleted issues; null when there is none. */
async function beforeNext(reading: Handle, ordinal: number): Promise<WalkPosition> {
  const [next] = await selectNext(reading, { after: ordinal });
  return next?.ordinal == null ? null : next.ordinal - 1;
}

/**
 * Selects the events to delete. The last event stays, whatever its type: its number tells readers that they are
 * complete.
 */
function isForgotten({ events }: Tables, of: { issueId: Column | SQL; lastSeq: Column | SQL }) {
  return and(eq(events.issueId, of.issueId), notInArray(events.type, [...milestoneEvents]), ne(events.seq, of.lastSeq));
}

interface Ended {
  readonly issueId: IssueId;
  readonly lastSeq: number;
}

const deleteEvents = deletionOf(
  ({ events }) => ({ table: events, key: [events.ordinal], wide: events.data }),
  ({ context }, given: Given<Ended>) => {
    const { tables } = context.database;
    const { events, issues } = tables;
    return isForgotten(tables, {
      issueId: given('issueId', events.issueId),
      lastSeq: given('lastSeq', issues.lastSeq),
    });
  },
);

const deleteLog = deletionOf(
  ({ commandLog: of }) => ({ table: of, key: [of.issueId, of.seq], wide: of.text }),
  ({ context }, given: Given<Ended>) => {
    const { commandLog } = context.database.tables;
    return eq(commandLog.issueId, given('issueId', commandLog.issueId));
  },
);

const deleteJournal = deletionOf(
  ({ journalEntries: of }) => ({ table: of, key: [of.ordinal], wide: of.entry }),
  ({ context }, given: Given<Ended>) => {
    const { journalEntries } = context.database.tables;
    return eq(journalEntries.issueId, given('issueId', journalEntries.issueId));
  },
);

const deleteAttachments = deletionOf(
  ({ attachments: of }) => ({ table: of, key: [of.ordinal], wide: of.content }),
  ({ context }, given: Given<Ended>) => {
    const { attachments } = context.database.tables;
    return eq(attachments.issueId, given('issueId', attachments.issueId));
  },
);

const holdIfEnded = prepared(({ context, db }, given: Given<{ issueId: IssueId; endedBefore: Date }>) => {
  const { issues } = context.database.tables;
  return db
    .update(issues)
    .set({ lastSeq: sql`${issues.lastSeq}` })
    .where(
      and(
        eq(issues.id, given('issueId', issues.id)),
        inArray(issues.status, ended),
        lt(issues.finishedAt, given('endedBefore', issues.finishedAt)),
      ),
    )
    .returning({ status: issues.status, lastSeq: issues.lastSeq });
});

/** Locks the row, so that the issue cannot be retried meanwhile; null unless it ended before `endedBefore`. */
async function holdEnded(write: Write, issueId: IssueId, endedBefore: Date) {
  const [issue] = await holdIfEnded(write, { issueId, endedBefore });
  return issue ?? null;
}

const findStarted = prepared(({ context, db }) => {
  const { issues, repos } = context.database.tables;
  // By the index of the active remotes: the removed repositories have few, and one each.
  const remotes = db.select({ remote: repos.canonicalRemote }).from(repos).where(isRemoved({ repos }));
  return db.select({ id: issues.id }).from(issues).where(inArray(issues.activeRemote, remotes));
});

/**
 * Cancels what was started in a removed repository, so that it can be deleted and its slot is free. A process of a release
 * that knows no removed repositories does that while it runs beside this one. There is no event: no user can see the issue.
 */
async function endRemoved(context: StoreContext): Promise<void> {
  const { read, tables } = context.database;
  const { issues, repos } = tables;
  const started = await findStarted({ context, db: read }, {});
  if (started.length === 0) return;
  await write(context, async (write) => {
    const { db, now } = write;
    await context.database.lockDispatch(db);
    await db
      .update(issues)
      .set({
        status: 'cancelled',
        activeRemote: null,
        waitingOrdinal: null,
        queueOrdinal: null,
        slot: null,
        gate: null,
        gateExpiresAt: null,
        leaseOwner: null,
        leaseExpiresAt: null,
        runAfter: null,
        leaseEpoch: sql`${issues.leaseEpoch} + 1`,
        finishedAt: now,
        updatedAt: now,
      })
      .where(
        inArray(
          issues.activeRemote,
          db.select({ remote: repos.canonicalRemote }).from(repos).where(isRemoved({ repos })),
        ),
      );
    await admit(write);
  });
}
