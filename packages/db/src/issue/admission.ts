import { type Issue, type IssueStatus, isRunnable, nextStatus, stages } from '@sluice/core';
import { asc, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { Write } from '../store-context.ts';
import { appendEvents } from './append-events.ts';
import { freeSlots } from './slots.ts';

/** The place behind everybody who waits. The caller holds the dispatch lock. */
export async function nextQueueOrdinal(write: Write): Promise<number> {
  const { issues } = write.context.database.tables;
  const [last] = await write.db.select({ ordinal: max(issues.queueOrdinal) }).from(issues);
  return (last?.ordinal ?? 0) + 1;
}

/**
 * Starts those who have waited longest in the slots that are free. Called by every write that queues an issue, frees a
 * slot or makes one, at its end and in its transaction: so nobody has to look for work that somebody knew about. The
 * caller holds the dispatch lock.
 */
export async function admit(write: Write): Promise<void> {
  const { issues } = write.context.database.tables;
  const free = await freeSlots(write);
  if (free.length === 0) return;
  const waiting = await write.db
    .select({ id: issues.id, status: issues.status, stage: issues.stage })
    .from(issues)
    .where(isNotNull(issues.queueOrdinal))
    .orderBy(asc(issues.queueOrdinal))
    .limit(free.length);
  for (const [index, issue] of waiting.entries()) await start(write, issue, free[index]);
}

async function start(write: Write, waiting: Pick<Issue, 'id' | 'status' | 'stage'>, slot?: number): Promise<void> {
  const { issues } = write.context.database.tables;
  const status = admitted(waiting.status);
  // One that is retried goes on at the stage that failed.
  const stage = waiting.stage ?? stages[0];
  const [issue] = await write.db
    .update(issues)
    .set({
      status,
      stage,
      slot: slot ?? null,
      queueOrdinal: null,
      startedAt: write.now,
      updatedAt: write.now,
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, waiting.id))
    .returning({ id: issues.id, userId: issues.userId, lastSeq: issues.lastSeq });
  if (issue === undefined) throw new Error('An issue left the queue without the dispatch lock.');
  await appendEvents(write, issue, [
    { type: 'issue.status', data: { from: waiting.status, to: status, stage, queue_position: null } },
  ]);
  if (isRunnable(status)) write.runnable.add(issue.id);
}

function admitted(status: IssueStatus): IssueStatus {
  const next = nextStatus(status, 'admitted');
  if (next === null) throw new Error(`An issue that is \`${status}\` stands in the queue.`);
  return next;
}
