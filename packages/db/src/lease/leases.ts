import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { isRunnable, type Lease, statusesWhere } from '@sluice/core/issue';
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, or, type SQL, sql } from 'drizzle-orm';
import { givenLease, isHeldBy } from '../attempt/fence.ts';
import { beginAttempt } from '../attempt/open-attempt.ts';
import type { Database } from '../engine/database.ts';
import { issueReturned, returnedIssue } from '../issue/read-issue.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

type Leases = Pick<RunStore, 'claim' | 'renew' | 'release' | 'claimable' | 'nextDueInMs' | 'expireLeases'>;

const setClaimed = prepared(({ context, db }, given: Given<{ issueId: IssueId; owner: string; ttlMs: number }>) => {
  const { database } = context;
  const { issues } = database.tables;
  return db
    .update(issues)
    .set({
      leaseOwner: given('owner', issues.leaseOwner),
      leaseEpoch: sql`${issues.leaseEpoch} + 1`,
      leaseExpiresAt: database.at(given('ttlMs')),
      runAfter: null,
    })
    .where(and(eq(issues.id, given('issueId', issues.id)), isClaimable(database)))
    .returning(issueReturned(database.tables));
});

const setRenewed = prepared(({ context, db }, given: Given<Lease & { ttlMs: number }>) => {
  const { at, tables } = context.database;
  const { issues } = tables;
  return db
    .update(issues)
    .set({ leaseExpiresAt: at(given('ttlMs')) })
    .where(isHeldBy(tables, givenLease(tables, given as Given<Lease>)))
    .returning({ id: issues.id });
});

const setReleased = preparedShapes(
  ({ context, db }, given: Given<Lease & { retryInMs: number }>, { isDelayed }: { isDelayed: boolean }) => {
    const { at, tables } = context.database;
    const { issues } = tables;
    return db
      .update(issues)
      .set({ leaseOwner: null, leaseExpiresAt: null, runAfter: isDelayed ? at(given('retryInMs')) : null })
      .where(isHeldBy(tables, givenLease(tables, given as Given<Lease>)))
      .returning({ id: issues.id, status: issues.status });
  },
);

const selectClaimable = prepared(({ context, db }, given: Given<{ limit: number }>) => {
  const { issues } = context.database.tables;
  return db
    .select({ id: issues.id })
    .from(issues)
    .where(isClaimable(context.database))
    .orderBy(asc(issues.startedAt), asc(issues.ordinal))
    .limit(given('limit'));
});

const selectNextDue = prepared(({ context: { database }, db }) => {
  const { issues } = database.tables;
  return db
    .select({ due: min(issues.runAfter), now: database.at(0).mapWith(issues.runAfter) })
    .from(issues)
    .where(and(isToBeDriven(database), isUnclaimed(database), isNotNull(issues.runAfter)));
});

/** Leases on issues. All times are the database's. */
export function createLeases(context: StoreContext): Leases {
  const { read, tables } = context.database;
  const { issues } = tables;
  const reading = { context, db: read };
  return {
    claim: (issueId, { owner, ttlMs, toBegin }) =>
      write(context, async (write) => {
        const [claimed] = await setClaimed(write, { issueId, owner, ttlMs });
        if (claimed === undefined) return null;
        const lease: Lease = { issueId, owner, epoch: claimed.leaseEpoch };
        const issue = await returnedIssue(write, claimed);
        const next = toBegin?.(issue) ?? null;
        return { lease, issue, attempt: next === null ? null : await beginAttempt(write, lease, next) };
      }),

    renew: (lease, ttlMs) => write(context, async (write) => (await setRenewed(write, { ...lease, ttlMs })).length > 0),

    release: (lease, retryInMs = 0) =>
      write(context, async (write) => {
        const isDelayed = retryInMs > 0;
        const [issue] = await setReleased(write, { isDelayed }, { ...lease, retryInMs });
        if (issue === undefined) return false;
        if (!isRunnable(issue.status)) return true;
        // With a delay it is not runnable yet: the embedded driver asks `nextDueInMs`, the queue in the database gets
        // the delay.
        if (isDelayed) write.due.set(issue.id, retryInMs);
        else write.runnable.add(issue.id);
        return true;
      }),

    claimable: async (limit) => {
      const found = await selectClaimable(reading, { limit });
      return found.map(({ id }) => id);
    },

    nextDueInMs: async () => {
      const [next] = await selectNextDue(reading, {});
      return next?.due == null ? null : Math.max(0, next.due.getTime() - next.now.getTime());
    },

    // Once, at the start of an embedded process: not built ahead.
    expireLeases: () =>
      write(context, async ({ db }) => {
        const ended = await db
          .update(issues)
          .set({ leaseOwner: null, leaseExpiresAt: null, runAfter: null })
          .where(and(gt(issues.slot, 0), or(isNotNull(issues.leaseOwner), isNotNull(issues.runAfter))))
          .returning({ id: issues.id });
        return ended.length;
      }),
  };
}

function isToBeDriven({ tables: { issues } }: Database): SQL | undefined {
  // Runnable issues occupy a slot, so this is a short range of that index. (`is not null` would not use it.)
  return and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isRunnable)));
}

function isUnclaimed({ tables: { issues }, at }: Database): SQL | undefined {
  return or(isNull(issues.leaseExpiresAt), lte(issues.leaseExpiresAt, at(0)));
}

function isClaimable(database: Database): SQL | undefined {
  const { issues } = database.tables;
  const isDue = or(isNull(issues.runAfter), lte(issues.runAfter, database.at(0)));
  return and(isToBeDriven(database), isDue, isUnclaimed(database));
}
