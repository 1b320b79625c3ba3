import type { ChangedBranches, ChangedSubject, CodeHostInbox } from '@sluice/core/code-host';
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { AT_ONCE_MS, inLockOrder, markSubjects } from '../issue/mark-subjects.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import { createPolls } from '../repo/polls.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';

const selectDue = prepared(({ context, db }, given: Given<{ limit: number }>) => {
  const { codehostInbox: inbox } = context.database.tables;
  return db
    .select()
    .from(inbox)
    .where(isClaimable(context.database))
    .orderBy(asc(inbox.runAfter), asc(inbox.ordinal))
    .limit(given('limit'));
});

const setClaimed = prepared(({ context, db }, given: Given<{ ordinal: number; owner: string; ttlMs: number }>) => {
  const { database } = context;
  const { codehostInbox: inbox } = database.tables;
  return (
    db
      .update(inbox)
      .set({
        owner: given('owner', inbox.owner),
        heldUntil: database.at(given('ttlMs')),
        failures: sql`${inbox.failures} + case when ${inbox.owner} is null then 0 else 1 end`,
      })
      // Checked again: another worker may have claimed it since the query.
      .where(and(eq(inbox.ordinal, given('ordinal', inbox.ordinal)), isClaimable(database)))
      .returning()
  );
});

/**
 * Changed subjects of the code host. Holds and waits use the database's clock. A hold that expired counts as a failed
 * attempt, so a subject that crashes its worker is not retried forever without backoff.
 */
export function createCodeHostInbox(context: StoreContext): CodeHostInbox {
  const { database } = context;
  const { codehostInbox: inbox, codehostDeliveries: deliveries } = database.tables;
  const isHeldBy = (owner: string, { codehostRepoId, kind, number }: ChangedSubject) =>
    and(
      eq(inbox.codehostRepoId, codehostRepoId),
      eq(inbox.kind, kind),
      eq(inbox.number, number),
      eq(inbox.owner, owner),
    );
  return {
    deliver: (deliveryId, changed) =>
      write(context, async (write) => {
        const noted = await write.db
          .insert(deliveries)
          .values({ id: deliveryId, at: write.now })
          .onConflictDoNothing({ target: deliveries.id })
          .returning({ id: deliveries.id });
        if (noted.length === 0) return false;
        if (changed === null) return true;
        await markSubjects(write, 'branches' in changed ? await changesOfBranches(write, changed) : [changed]);
        return true;
      }),

    mark: (subjects) => write(context, (write) => markSubjects(write, subjects)),

    markMembers: (everyMs) => write(context, (write) => markMirrored(write, new Date(write.now.getTime() - everyMs))),

    claim: (owner, { limit, ttlMs }) =>
      write(context, async (write) => {
        const due = await selectDue(write, { limit });
        const taken: typeof due = [];
        for (const row of inLockOrder(due)) {
          taken.push(...(await setClaimed(write, { ordinal: row.ordinal, owner, ttlMs })));
        }
        taken.sort((a, b) => Number(a.runAfter) - Number(b.runAfter) || a.ordinal - b.ordinal);
        return taken.map(({ codehostRepoId, kind, number, mark, failures }) => ({
          codehostRepoId,
          kind,
          number,
          mark,
          failures,
        }));
      }),

    isHeld: async (owner, subject) => {
      const rows = await database.read
        .select({ ordinal: inbox.ordinal })
        .from(inbox)
        .where(and(isHeldBy(owner, subject), gt(inbox.heldUntil, database.at(0))));
      return rows.length > 0;
    },

    settle: (owner, subject) =>
      write(context, async ({ db }) => {
        const runAfter = sql`case when ${inbox.mark} = ${subject.mark} then null else ${inbox.runAfter} end`;
        await db
          .update(inbox)
          .set({ owner: null, heldUntil: null, failures: 0, runAfter })
          .where(isHeldBy(owner, subject));
      }),

    defer: (owner, subject, { retryInMs, failed }) =>
      write(context, async ({ db }) => {
        const later = database.at(retryInMs);
        // After a failure, the backoff also applies to subjects that were marked again; a burst would hit the same
        // failure.
        const runAfter = failed
          ? later
          : sql`case when ${inbox.mark} = ${subject.mark} then ${later} else ${inbox.runAfter} end`;
        await db
          .update(inbox)
          .set({ owner: null, heldUntil: null, runAfter, ...(failed && { failures: sql`${inbox.failures} + 1` }) })
          .where(isHeldBy(owner, subject));
      }),

    expireHolds: () =>
      write(context, async ({ db }) => {
        const ended = await db
          .update(inbox)
          // The owner stays until the next claim, which counts the attempt as failed.
          .set({ heldUntil: database.at(AT_ONCE_MS) })
          // Held subjects always have `run_after`; the condition lets the query use an index.
          .where(and(isNotNull(inbox.owner), gt(inbox.runAfter, new Date(0))))
          .returning({ ordinal: inbox.ordinal });
        return ended.length;
      }),

    forgetDeliveries: (before) =>
      write(context, async ({ db }) => {
        await db.delete(deliveries).where(lt(deliveries.at, before));
        await db.delete(inbox).where(and(isNull(inbox.runAfter), lt(inbox.markedAt, before)));
      }),

    ...createPolls(context),
  };
}

function isClaimable({ tables: { codehostInbox: inbox }, at }: Database): SQL | undefined {
  const isFree = or(isNull(inbox.heldUntil), lte(inbox.heldUntil, at(0)));
  // These conditions let an index skip settled subjects: Postgres evaluates its clock for every row.
  return and(isNotNull(inbox.runAfter), lte(inbox.runAfter, at(0)), isFree);
}

const REVERTED_WITHIN_MS = 30 * 24 * 60 * 60 * 1_000; // a change that is in a release for a month is not taken back, but changed

/**
 * The open pull requests from or into these branches that issues were published to. The branch of an issue is in its
 * documents, so those of one repository are looked through: a repository has tens of open ones at most. Where something was
 * taken back, those too that were merged lately: it may be one of them.
 */
async function changesOfBranches(
  { context, db, now }: Write,
  { codehostRepoId, branches, reverts = false }: ChangedBranches,
): Promise<ChangedSubject[]> {
  const { issues, repos, changeRequests: of } = context.database.tables;
  const isOpen = inArray(issues.changeRequestState, ['draft', 'open']);
  const isRecent = gte(of.mergedAt, new Date(now.getTime() - REVERTED_WITHIN_MS));
  const found = await db
    .select({
      number: issues.changeRequestNumber,
      base: issues.baseBranch,
      pipeline: issues.pipeline,
      result: issues.result,
    })
    .from(issues)
    .innerJoin(repos, eq(repos.id, issues.repoId))
    .leftJoin(of, and(eq(of.repoId, issues.repoId), eq(of.number, issues.changeRequestNumber)))
    .where(
      and(
        eq(repos.codehostRepoId, codehostRepoId),
        isNotNull(issues.changeRequestNumber),
        reverts ? or(isOpen, isRecent) : isOpen,
      ),
    );
  return found.flatMap(({ number, base, pipeline, result }) => {
    const ends = [base, pipeline.branch, result?.branch];
    if (number === null || !branches.some((branch) => ends.includes(branch))) return [];
    return [{ codehostRepoId, kind: 'change_request' as const, number }];
  });
}
