import { type BudgetKind, exhaustedBudget, type Payer, renderHeld } from '@sluice/core/budget';
import type { IssueId } from '@sluice/core/id';
import { type Issue, type IssueStatus, type NewEvent, nextStatus } from '@sluice/core/issue';
import { eq, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import { boundingBudgets } from '../spending/spending.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';
import { nextQueueOrdinal } from './queue-place.ts';
import { issueReturned, type ReturnedRow } from './read-issue.ts';

/**
 * The budget that keeps a payer's issues from running, as this transaction sees it; null when none does. Under the dispatch lock
 * no budget is raised meanwhile: an issue is held by it, or is found by the raise.
 */
export async function holdingBudget(write: Write, payer: Payer): Promise<BudgetKind | null> {
  return exhaustedBudget(await boundingBudgets(write, payer, write.now))?.kind ?? null;
}

interface HeldValues {
  readonly id: IssueId;
  readonly status: IssueStatus;
  readonly queueOrdinal: number;
  readonly heldByBudget: BudgetKind;
  readonly now: Date;
}

const setHeld = prepared(({ context, db }, given: Given<HeldValues>) => {
  const { tables } = context.database;
  const { issues } = tables;
  return db
    .update(issues)
    .set({
      status: given('status', issues.status),
      queueOrdinal: given('queueOrdinal', issues.queueOrdinal),
      heldByBudget: given('heldByBudget', issues.heldByBudget),
      queuedAt: given('now', issues.queuedAt),
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, given('id', issues.id)))
    .returning(issueReturned(tables));
});

/** Takes a queued issue out of the queue, because a budget is used up. The caller holds the dispatch lock. */
export async function holdForBudget(
  write: Write,
  { id, status: from, stage }: Pick<Issue, 'id' | 'status' | 'stage'>,
  budget: BudgetKind,
): Promise<ReturnedRow> {
  const status = nextStatus(from, 'budget_exhausted');
  if (status === null) throw new Error(`An issue that is \`${from}\` stands in the queue.`);
  const queueOrdinal = await nextQueueOrdinal(write, 'held');
  const [issue] = await setHeld(write, { id, status, queueOrdinal, heldByBudget: budget, now: write.now });
  if (issue === undefined) throw new Error('An issue left the queue without the dispatch lock.');
  appendEvents(write, issue, [heldEvent({ from, to: status, stage }, budget)]);
  return issue;
}

/** The event of an issue that a budget holds from now on. */
function heldEvent(
  { from, to, stage }: { readonly from: IssueStatus; readonly to: IssueStatus; readonly stage: Issue['stage'] },
  budget: BudgetKind,
): NewEvent {
  return {
    type: 'issue.status',
    data: { from, to, stage, queue_position: null, detail: renderHeld(budget), queue_reason: 'budget' },
  };
}
