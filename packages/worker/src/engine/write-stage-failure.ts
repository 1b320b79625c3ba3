import {
  type AppError,
  type AttemptOutcome,
  continuesRound,
  type Issue,
  type IssueStore,
  type NewEvent,
  pipelineStages,
  retryDelayMs,
  type Usage,
} from '@sluice/core';
import { stageUsage } from '../agent/stage-usage.ts';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageGaveUp } from '../stage/stage-end.ts';

/**
 * Writes that a stage failed. Whether it is tried again the error's catalogue entry decides, and how often it failed
 * already in this round.
 *
 * @returns after how many milliseconds it is tried again, or null when the pipeline has given up
 */
export async function writeStageFailure(
  stage: StageContext,
  error: AppError,
  durationMs: number,
): Promise<number | null> {
  const { deps, execution } = stage;
  const failures = await failuresSoFar(deps.issues, execution.issue());
  const retryInMs = retryDelayMs(error, failures + 1);
  if (retryInMs === null) {
    await writeGaveUp(stage, { trigger: 'gave_up', error }, durationMs);
    return null;
  }
  const detail = `${renderFailure(stage, error)}${renderNextTry(stage, error, retryInMs)}`;
  const usage = await stageUsage(stage);
  await execution.write((lease) =>
    deps.runs.failAttempt(
      lease,
      failedStep(stage, detail, usage.attempt),
      failedEvent(stage, { detail, durationMs, willRetry: true }),
    ),
  );
  return retryInMs;
}

/**
 * Ends the issue in `failed`, in one act, with the stage and the reason, and whether a retry goes on in the same round.
 */
export async function writeGaveUp(stage: StageContext, end: StageGaveUp, durationMs: number): Promise<void> {
  const { execution, step } = stage;
  const usage = await stageUsage(stage);
  const detail = renderFailure(stage, end.error);
  const pipeline = { ...execution.issue().pipeline, ...end.pipeline };
  await execution.apply({
    trigger: 'gave_up',
    set: {
      error: { stage: step.stage, detail },
      pipeline: { ...pipeline, rounds: { ...pipeline.rounds, resumable: continuesRound(end.error) } },
    },
    step: failedStep(stage, detail, usage.attempt),
    events: [failedEvent(stage, { detail, durationMs, willRetry: false })],
  });
}

/** A pause that somebody else asked for may be long: whoever waits is told until when. */
function renderNextTry({ deps }: StageContext, { details }: AppError, retryInMs: number): string {
  if (details.retryAfterMs === undefined) return '';
  const at = new Date(deps.clock.now().getTime() + retryInMs);
  return ` It is tried again at ${at.toISOString()}.`;
}

/** A bug's own words stay in the log: they may hold what must not be shown. */
function renderFailure(stage: StageContext, error: AppError): string {
  if (error.code === 'internal' && error.details.detail === undefined) {
    return `Something failed inside Sluice. The server's log has the details under this issue's id, ${stage.execution.lease.issueId}.`;
  }
  return error.message;
}

function failedStep({ step }: StageContext, detail: string, usage: Usage): AttemptOutcome {
  return { stage: step.stage, round: step.round, attempt: step.attempt, outcome: 'failed', usage, detail };
}

function failedEvent(
  { step }: StageContext,
  failure: { detail: string; durationMs: number; willRetry: boolean },
): NewEvent {
  return {
    type: 'stage.failed',
    data: {
      stage: step.stage,
      agent: pipelineStages[step.stage].agent,
      attempt: step.attempt,
      duration_ms: failure.durationMs,
      detail: failure.detail,
      will_retry: failure.willRetry,
    },
  };
}

const WINDOW = 200;

/**
 * How often the stage that the issue is in has failed since it was last entered. Attempts are not failures: one that
 * a restart or a killed process cut off says nothing about the stage, and must not use up its retries. Read from the
 * newest event backwards, to where the stage was entered.
 */
export async function failuresSoFar(issues: IssueStore, issue: Issue): Promise<number> {
  const now = await issues.get(issue.id);
  let failures = 0;
  for (let end = now?.lastSeq ?? 0; end > 0; end -= WINDOW) {
    const after = Math.max(end - WINDOW, 0);
    const events = await issues.events(issue.id, { after, limit: end - after });
    for (const event of events.toReversed()) {
      if (event.type === 'stage.completed' || event.type === 'issue.status') return failures;
      if (event.type === 'stage.failed') failures += 1;
    }
  }
  return failures;
}
