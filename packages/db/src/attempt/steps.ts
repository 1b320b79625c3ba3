import type { Attempt, AttemptOutcome, IssueId, NewAttempt, NewEvent } from '@sluice/core';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * Opens the next attempt of the round. The caller holds the issue, and none of its stage runs is open.
 *
 * @returns the stage run, and the event that tells of it
 */
export async function openStep(
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
  if (row === undefined) throw new Error('A stage run was inserted, and nothing came back.');
  const { attempt } = row;
  return { step: { ...opened, attempt }, started: { type: 'stage.started', data: { stage, agent, attempt } } };
}

/** Closes the stage run that `step` names. @throws Error when it is not open: a bug of the caller */
export async function closeStep(write: Write, issueId: IssueId, step: AttemptOutcome): Promise<void> {
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
    throw new Error(`The stage run ${step.stage}, round ${step.round}, attempt ${step.attempt} is not open.`);
  }
}

/** Closes whatever stage run an issue still has open: its worker died, or the issue was changed under it. */
export async function interruptSteps(write: Write, issueId: IssueId): Promise<void> {
  const { steps } = write.context.database.tables;
  await write.db
    .update(steps)
    .set({ outcome: 'interrupted', finishedAt: write.now })
    .where(and(eq(steps.issueId, issueId), isNull(steps.outcome)));
}
