import { monthOf, startOfMonth } from '@sluice/core/budget';
import type { IssueId } from '@sluice/core/id';
import { isPending, statusesWhere } from '@sluice/core/issue';
import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { admit } from './admission.ts';
import { holdingBudget } from './hold-for-budget.ts';
import { isHeld, nextQueueOrdinal } from './queue-place.ts';
import { issueReturned, mustReadIssue } from './read-issue.ts';

// An issue that a budget holds is looked at when that budget is raised, in the write that raises it, and when its month is over.
// What was spent never gets less, so nothing has to ask in between.

const selectHeld = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { id, userId, repoId, stage, queueOrdinal } = tables.issues;
  return db
    .select({ id, userId, repoId, stage })
    .from(tables.issues)
    .where(and(isHeld(tables), inArray(tables.issues.status, statusesWhere(isPending))))
    .orderBy(asc(queueOrdinal));
});

/**
 * Finds an issue that was held for a month that has ended. An older release may also have held issues without a budget.
 */
const findOver = prepared(({ context, db }, given: Given<{ monthStart: Date }>) => {
  const { tables } = context.database;
  const { id, queuedAt, heldByBudget } = tables.issues;
  return db
    .select({ id })
    .from(tables.issues)
    .where(and(isHeld(tables), or(isNull(heldByBudget), lt(queuedAt, given('monthStart', queuedAt)))))
    .limit(1);
});

const setQueued = prepared(({ context, db }, given: Given<{ id: IssueId; queueOrdinal: number; now: Date }>) => {
  const { tables } = context.database;
  const { issues } = tables;
  return db
    .update(issues)
    .set({
      queueOrdinal: given('queueOrdinal', issues.queueOrdinal),
      heldByBudget: null,
      queuedAt: given('now', issues.queuedAt),
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, given('id', issues.id)))
    .returning(issueReturned(tables));
});

/**
 * Queues every held issue that has budget, in the order in which they were held: ahead of new ones where it has begun. The caller
 * holds the dispatch lock and admits afterwards.
 *
 * @returns how many it queued
 */
export async function queueThoseWithBudget(write: Write): Promise<number> {
  let queued = 0;
  for (const { id, userId, repoId, stage } of await selectHeld(write, {})) {
    if ((await holdingBudget(write, { userId, repoId })) !== null) continue;
    const queueOrdinal = await nextQueueOrdinal(write, stage === null ? 'new' : 'decided');
    await setQueued(write, { id, queueOrdinal, now: write.now });
    const issue = await mustReadIssue(write, id);
    const { status, queuePosition } = issue;
    const detail = 'There is budget again.';
    appendEvents(write, issue, [
      { type: 'issue.status', data: { from: status, to: status, stage, queue_position: queuePosition, detail } },
    ]);
    queued += 1;
  }
  return queued;
}

/** `BudgetStore.queueHeld`. Nearly always it finds none, and then waits for no lock. */
export async function queueHeld(context: StoreContext): Promise<number> {
  const { database, clock } = context;
  const monthStart = startOfMonth(monthOf(clock.now()));
  if ((await findOver({ context, db: database.read }, { monthStart })).length === 0) return 0;
  return await write(context, async (write) => {
    await database.lockDispatch(write.db);
    const queued = await queueThoseWithBudget(write);
    if (queued > 0) await admit(write);
    return queued;
  });
}
