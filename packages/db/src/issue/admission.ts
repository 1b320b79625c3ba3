import {
  type Issue,
  type IssueStatus,
  isOpenForDecision,
  isRunnable,
  nextStatus,
  statusesWhere,
} from '@sluice/core/issue';
import { stages } from '@sluice/core/pipeline';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdForBudget, holdingBudget } from './hold-for-budget.ts';
import { nextToStart } from './queue-order.ts';
import { issueReturned, type ReturnedRow } from './read-issue.ts';
import { freeSlots } from './slots.ts';

/**
 * Starts queued issues in the free slots. Every write that queues an issue, frees a slot or adds one calls this at the
 * end of its transaction, so no process has to poll for it. An issue whose turn it is leaves the queue instead while a budget
 * holds it, so that it is looked at once and no issue waits behind it. The caller holds the dispatch lock.
 *
 * @returns the issues that it started or took out of the queue
 */
export async function admit(write: Write): Promise<readonly ReturnedRow[]> {
  const admitted: ReturnedRow[] = [];
  const slots = [...(await freeSlots(write))];
  for (let slot = slots.shift(); slot !== undefined; ) {
    const next = await nextToStart(write);
    if (next === undefined) break;
    const budget = await holdingBudget(write, next);
    if (budget === null) {
      admitted.push(await start(write, next, slot));
      slot = slots.shift();
    } else admitted.push(await holdForBudget(write, next, budget));
  }
  return admitted;
}

const isKeptAtGate = ({ issues }: Tables) =>
  and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isOpenForDecision)));

const findKept = prepared(({ context, db }) => {
  const { tables } = context.database;
  return db.select({ id: tables.issues.id }).from(tables.issues).where(isKeptAtGate(tables)).limit(1);
});

const freeKept = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { issues } = tables;
  return db.update(issues).set({ slot: null }).where(isKeptAtGate(tables)).returning({ id: issues.id });
});

/** Frees the slots of issues that wait for a person, where they are not to keep them. @returns how many */
export async function freeGateSlots(context: StoreContext): Promise<number> {
  if (context.slotRules.keptAtGate) return 0;
  const { database } = context;
  // Runs in every maintenance pass and nearly always finds nothing; then it must not wait for the dispatch lock.
  const kept = await findKept({ context, db: database.read }, {});
  if (kept.length === 0) return 0;
  return await write(context, async (write) => {
    await database.lockDispatch(write.db);
    const freed = await freeKept(write, {});
    if (freed.length > 0) await admit(write);
    return freed.length;
  });
}

interface StartValues extends Pick<Issue, 'id' | 'status' | 'stage'> {
  readonly slot: number;
  readonly now: Date;
}

const setStarted = prepared(({ context, db }, given: Given<StartValues>) => {
  const { tables } = context.database;
  const { issues } = tables;
  return db
    .update(issues)
    .set({
      status: given('status', issues.status),
      stage: given('stage', issues.stage),
      slot: given('slot', issues.slot),
      queueOrdinal: null,
      startedAt: given('now', issues.startedAt),
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, given('id', issues.id)))
    .returning(issueReturned(tables));
});

async function start(
  write: Write,
  waiting: Pick<Issue, 'id' | 'status' | 'stage'>,
  slot: number,
): Promise<ReturnedRow> {
  const status = admitted(waiting.status);
  // A retried issue continues at the failed stage, a decided one at the stage after the gate.
  const stage = waiting.stage ?? stages[0];
  const [issue] = await setStarted(write, { id: waiting.id, status, stage, slot, now: write.now });
  if (issue === undefined) throw new Error('An issue left the queue without the dispatch lock.');
  appendEvents(write, issue, [
    { type: 'issue.status', data: { from: waiting.status, to: status, stage, queue_position: null } },
  ]);
  if (isRunnable(status)) write.runnable.add(issue.id);
  return issue;
}

function admitted(status: IssueStatus): IssueStatus {
  const next = nextStatus(status, 'admitted');
  if (next === null) throw new Error(`An issue that is \`${status}\` stands in the queue.`);
  return next;
}
