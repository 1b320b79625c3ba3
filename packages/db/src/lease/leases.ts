import { isRunnable, type Lease, type RunStore, statusesWhere } from '@sluice/core';
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, or, type SQL, sql } from 'drizzle-orm';
import { isHeldBy } from '../attempt/fence.ts';
import type { Database } from '../engine/database.ts';
import { issueReturned, returnedIssue } from '../issue/read-issue.ts';
import { type StoreContext, write } from '../store/store-context.ts';

type Leases = Pick<RunStore, 'claim' | 'renew' | 'release' | 'claimable' | 'nextDueInMs' | 'expireLeases'>;

/** Leases on issues. All times are the database's. */
export function createLeases(context: StoreContext): Leases {
  const { database } = context;
  const { issues } = database.tables;
  return {
    claim: (issueId, owner, ttlMs) =>
      write(context, async (write) => {
        const [claimed] = await write.db
          .update(issues)
          .set({
            leaseOwner: owner,
            leaseEpoch: sql`${issues.leaseEpoch} + 1`,
            leaseExpiresAt: database.at(ttlMs),
            runAfter: null,
          })
          .where(and(eq(issues.id, issueId), isClaimable(database)))
          .returning(issueReturned(database.tables));
        if (claimed === undefined) return null;
        const lease: Lease = { issueId, owner, epoch: claimed.leaseEpoch };
        return { lease, issue: await returnedIssue(write, claimed) };
      }),

    renew: (lease, ttlMs) => setLease(lease, { leaseExpiresAt: database.at(ttlMs) }),

    release: async (lease, retryInMs = 0) => {
      const runAfter = retryInMs > 0 ? database.at(retryInMs) : null;
      return await setLease(lease, { leaseOwner: null, leaseExpiresAt: null, runAfter }, retryInMs);
    },

    claimable: async (limit) => {
      const found = await database.read
        .select({ id: issues.id })
        .from(issues)
        .where(isClaimable(database))
        .orderBy(asc(issues.startedAt), asc(issues.ordinal))
        .limit(limit);
      return found.map(({ id }) => id);
    },

    nextDueInMs: async () => {
      const [next] = await database.read
        .select({ due: min(issues.runAfter), now: database.at(0).mapWith(issues.runAfter) })
        .from(issues)
        .where(and(isToBeDriven(database), isUnclaimed(database), isNotNull(issues.runAfter)));
      return next?.due == null ? null : Math.max(0, next.due.getTime() - next.now.getTime());
    },

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

  async function setLease(
    lease: Lease,
    set: { leaseOwner?: null; leaseExpiresAt: SQL | null; runAfter?: SQL | null },
    inMs = 0,
  ): Promise<boolean> {
    return await write(context, async (write) => {
      const [issue] = await write.db
        .update(issues)
        .set(set)
        .where(isHeldBy(database.tables, lease))
        .returning({ id: issues.id, status: issues.status });
      if (issue === undefined) return false;
      // With a delay it is not runnable yet: the embedded driver asks `nextDueInMs`, the queue in the database gets the
      // delay.
      if (set.leaseOwner !== null || !isRunnable(issue.status)) return true;
      if (inMs > 0) write.due.set(issue.id, inMs);
      else write.runnable.add(issue.id);
      return true;
    });
  }
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
