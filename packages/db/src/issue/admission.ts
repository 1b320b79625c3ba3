import {
  type Issue,
  type IssueStatus,
  isOpenForDecision,
  isRunnable,
  nextStatus,
  stages,
  statusesWhere,
} from '@sluice/core';
import { and, eq, gt, inArray, lt, max, type SQL, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { nextToStart } from './queue-order.ts';
import { issueReturned, type ReturnedRow } from './read-issue.ts';
import { freeSlots } from './slots.ts';

/** Decided issues are numbered from here and stay below zero, ahead of all new ones: 2^52 decisions fit. */
const FIRST_DECIDED = -(2 ** 52);

/** Matches the issues in the queue by a range of its index. (SQLite reads the whole table for `is not null`.) */
export function isQueued({ issues }: Tables): SQL {
  return gt(issues.queueOrdinal, FIRST_DECIDED - 1);
}

/** The place at the end of the queue, or at the end of the decided issues. The caller holds the dispatch lock. */
export async function nextQueueOrdinal(write: Write, line: 'new' | 'decided'): Promise<number> {
  const { issues } = write.context.database.tables;
  const isInLine = line === 'new' ? gt(issues.queueOrdinal, 0) : lt(issues.queueOrdinal, 0);
  const [last] = await write.db
    .select({ ordinal: max(issues.queueOrdinal) })
    .from(issues)
    .where(isInLine);
  return (last?.ordinal ?? (line === 'new' ? 0 : FIRST_DECIDED)) + 1;
}

/**
 * Starts queued issues in the free slots. Every write that queues an issue, frees a slot or adds one calls this at the
 * end of its transaction, so no process has to poll for it. The caller holds the dispatch lock.
 *
 * @returns the issues that it started
 */
export async function admit(write: Write): Promise<readonly ReturnedRow[]> {
  const started: ReturnedRow[] = [];
  for (const slot of await freeSlots(write)) {
    const next = await nextToStart(write);
    if (next === undefined) break;
    started.push(await start(write, next, slot));
  }
  return started;
}

/** Frees the slots of issues that wait for a person, where they are not to keep them. @returns how many */
export async function freeGateSlots(context: StoreContext): Promise<number> {
  if (context.slotRules.keptAtGate) return 0;
  const { database } = context;
  const { issues } = database.tables;
  const isKept = and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isOpenForDecision)));
  // Runs in every maintenance pass and nearly always finds nothing; then it must not wait for the dispatch lock.
  const kept = await database.read.select({ id: issues.id }).from(issues).where(isKept).limit(1);
  if (kept.length === 0) return 0;
  return await write(context, async (write) => {
    await database.lockDispatch(write.db);
    const freed = await write.db.update(issues).set({ slot: null }).where(isKept).returning({ id: issues.id });
    if (freed.length > 0) await admit(write);
    return freed.length;
  });
}

async function start(
  write: Write,
  waiting: Pick<Issue, 'id' | 'status' | 'stage'>,
  slot: number,
): Promise<ReturnedRow> {
  const { tables } = write.context.database;
  const { issues } = tables;
  const status = admitted(waiting.status);
  // A retried issue continues at the failed stage, a decided one at the stage after the gate.
  const stage = waiting.stage ?? stages[0];
  const [issue] = await write.db
    .update(issues)
    .set({
      status,
      stage,
      slot,
      queueOrdinal: null,
      startedAt: write.now,
      updatedAt: write.now,
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, waiting.id))
    .returning(issueReturned(tables));
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
