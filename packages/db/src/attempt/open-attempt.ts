import type { IssueId } from '@sluice/core/id';
import type { Attempt, AttemptOutcome, Lease, NewAttempt, NewEvent } from '@sluice/core/issue';
import type { Usage } from '@sluice/core/pipeline';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

type Opened = NewAttempt & { issueId: IssueId; startedAt: Date };

const insertAttempt = prepared(({ context, db }, given: Given<Opened>) => {
  const { steps } = context.database.tables;
  const [issueId, stage, round] = [
    given('issueId', steps.issueId),
    given('stage', steps.stage),
    given('round', steps.round),
  ];
  const ofRound = and(eq(steps.issueId, issueId), eq(steps.stage, stage), eq(steps.round, round));
  return db
    .insert(steps)
    .values({
      issueId,
      stage,
      round,
      agent: given('agent', steps.agent),
      startedAt: given('startedAt', steps.startedAt),
      attempt: sql<number>`(select coalesce(max(${steps.attempt}), 0) + 1 from ${steps} where ${ofRound})`,
    })
    .returning({ attempt: steps.attempt });
});

type Ended = Omit<AttemptOutcome, 'usage'> & Usage & { issueId: IssueId; finishedAt: Date };

const endAttempt = prepared(({ context, db }, given: Given<Ended>) => {
  const { steps } = context.database.tables;
  return db
    .update(steps)
    .set({
      outcome: given('outcome', steps.outcome),
      finishedAt: given('finishedAt', steps.finishedAt),
      inputTokens: given('input_tokens', steps.inputTokens),
      outputTokens: given('output_tokens', steps.outputTokens),
      costUsd: given('cost_usd', steps.costUsd),
      detail: given('detail', steps.detail),
    })
    .where(
      and(
        eq(steps.issueId, given('issueId', steps.issueId)),
        eq(steps.stage, given('stage', steps.stage)),
        eq(steps.round, given('round', steps.round)),
        eq(steps.attempt, given('attempt', steps.attempt)),
        isNull(steps.outcome),
      ),
    )
    .returning({ ordinal: steps.ordinal });
});

const interruptOpen = prepared(({ context, db }, given: Given<{ issueId: IssueId; now: Date }>) => {
  const { steps } = context.database.tables;
  return db
    .update(steps)
    .set({ outcome: 'interrupted', finishedAt: given('now', steps.finishedAt) })
    .where(and(eq(steps.issueId, given('issueId', steps.issueId)), isNull(steps.outcome)));
});

/**
 * Opens the next attempt of the round. The caller holds the issue, which has no open attempt.
 *
 * @returns the attempt and its `stage.started` event
 */
export async function openAttempt(
  write: Write,
  issueId: IssueId,
  { stage, round, agent }: NewAttempt,
): Promise<{ opened: Attempt; started: NewEvent }> {
  const opened = { stage, round, startedAt: write.now };
  const [row] = await insertAttempt(write, { ...opened, issueId, agent });
  if (row === undefined) throw new Error('An inserted attempt was not returned.');
  const { attempt } = row;
  return { opened: { ...opened, attempt }, started: { type: 'stage.started', data: { stage, agent, attempt } } };
}

/** Begins an attempt under a lease, after what a dead worker may have begun. Null when the lease is lost. */
export async function beginAttempt(write: Write, lease: Lease, next: NewAttempt): Promise<Attempt | null> {
  const issue = await holdIssue(write, lease, { events: 1 });
  if (issue === null) return null;
  // One after the other, and in one message to Postgres.
  const [, { opened, started }] = await Promise.all([
    interruptAttempts(write, issue.id),
    openAttempt(write, issue.id, next),
  ]);
  appendEvents(write, issue, [started]);
  return opened;
}

/** Closes the attempt that `ended` names. @throws Error when it is not open, which is a bug in the caller */
export async function closeAttempt(write: Write, issueId: IssueId, ended: AttemptOutcome): Promise<void> {
  const { usage, ...columns } = ended;
  const closed = await endAttempt(write, { ...columns, ...usage, issueId, finishedAt: write.now });
  if (closed.length === 0) {
    throw new Error(`Attempt ${ended.attempt} of ${ended.stage}, round ${ended.round}, is not open.`);
  }
}

/** Closes the open attempt of an issue whose worker died or that was changed from outside. */
export async function interruptAttempts(write: Write, issueId: IssueId): Promise<void> {
  await interruptOpen(write, { issueId, now: write.now });
}
