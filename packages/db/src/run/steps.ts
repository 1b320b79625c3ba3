import type { IssueId, StepOutcome } from '@sluice/core';
import { and, eq, isNull } from 'drizzle-orm';
import type { Write } from '../store-context.ts';

/** Closes the stage run that `step` names. @throws Error when it is not open: a bug of the caller */
export async function closeStep(write: Write, issueId: IssueId, step: StepOutcome): Promise<void> {
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
