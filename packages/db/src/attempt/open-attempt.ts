import type { Attempt, AttemptOutcome, IssueId, NewAttempt, NewEvent } from '@sluice/core';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * Opens the next attempt of the round. The caller holds the issue, which has no open attempt.
 *
 * @returns the attempt and its `stage.started` event
 */
export async function openAttempt(
  write: Write,
  issueId: IssueId,
  { stage, round, agent }: NewAttempt,
): Promise<{ step: Attempt; started: NewEvent }> {
  const { steps } = write.context.database.tables;
  const ofRound = and(eq(steps.issueId, issueId), eq(steps.stage, stage), eq(steps.round, round));
  const opened = { stage, round, startedAt: write.now };
  const [row] = await write.db
    .insert(steps)
    .values({
      ...opened,
      issueId,
      agent,
      attempt: sql<number>`(select coalesce(max(${steps.attempt}), 0) + 1 from ${steps} where ${ofRound})`,
    })
    .returning({ attempt: steps.attempt });
  if (row === undefined) throw new Error('An inserted attempt was not returned.');
  const { attempt } = row;
  return { step: { ...opened, attempt }, started: { type: 'stage.started', data: { stage, agent, attempt } } };
}

/** Closes the attempt that `step` names. @throws Error when it is not open, which is a bug in the caller */
export async function closeAttempt(write: Write, issueId: IssueId, step: AttemptOutcome): Promise<void> {
  const { steps } = write.context.database.tables;
  const closed = await write.db
    .update(steps)
    .set({
      outcome: step.outcome,
      finishedAt: write.now,
      inputTokens: step.usage.input_tokens,
      outputTokens: step.usage.output_tokens,
      costUsd: step.usage.cost_usd,
      detail: step.detail,
    })
    .where(
      and(
        eq(steps.issueId, issueId),
        eq(steps.stage, step.stage),
        eq(steps.round, step.round),
        eq(steps.attempt, step.attempt),
        isNull(steps.outcome),
      ),
    )
    .returning({ ordinal: steps.ordinal });
  if (closed.length === 0) {
    throw new Error(`Attempt ${step.attempt} of ${step.stage}, round ${step.round}, is not open.`);
  }
}

/** Closes the open attempt of an issue whose worker died or that was changed from outside. */
export async function interruptAttempts(write: Write, issueId: IssueId): Promise<void> {
  const { steps } = write.context.database.tables;
  await write.db
    .update(steps)
    .set({ outcome: 'interrupted', finishedAt: write.now })
    .where(and(eq(steps.issueId, issueId), isNull(steps.outcome)));
}
