import {
  type AppError,
  type NewEvent,
  pipelineStages,
  retryDelayMs,
  roundGoesOn,
  type StepOutcome,
  type Usage,
} from '@sluice/core';
import { stageUsage } from '../agent/stage-usage.ts';
import type { StageRun } from '../stage/stage-context.ts';
import type { StageGaveUp } from '../stage/stage-end.ts';
import { failuresSoFar } from './failures-so-far.ts';

/**
 * Writes that a stage failed. Whether it is tried again the error's catalogue entry decides, and how often it failed
 * already in this round.
 *
 * @returns after how many milliseconds it is tried again, or null when the pipeline has given up
 */
export async function writeStageFailure(stage: StageRun, error: AppError, durationMs: number): Promise<number | null> {
  const { deps, run } = stage;
  const failures = await failuresSoFar(deps.issues, run.issue());
  const retryInMs = retryDelayMs(error, failures + 1);
  if (retryInMs === null) {
    await writeGaveUp(stage, { trigger: 'gave_up', error }, durationMs);
    return null;
  }
  const detail = `${failureInWords(stage, error)}${nextTryInWords(stage, error, retryInMs)}`;
  const usage = await stageUsage(stage);
  await run.write((lease) =>
    deps.runs.failStep(
      lease,
      failedStep(stage, detail, usage.run),
      failedEvent(stage, { detail, durationMs, willRetry: true }),
    ),
  );
  return retryInMs;
}

/**
 * Ends the issue in `failed`, in one act, with the stage and the reason, and whether a retry goes on in the same round.
 */
export async function writeGaveUp(stage: StageRun, end: StageGaveUp, durationMs: number): Promise<void> {
  const { run, step } = stage;
  const usage = await stageUsage(stage);
  const detail = failureInWords(stage, end.error);
  await run.apply({
    trigger: 'gave_up',
    set: {
      error: { stage: step.stage, detail },
      pipeline: { ...run.issue().pipeline, ...end.pipeline, round_goes_on: roundGoesOn(end.error) },
    },
    step: failedStep(stage, detail, usage.run),
    events: [failedEvent(stage, { detail, durationMs, willRetry: false })],
  });
}

/** A pause that somebody else asked for may be long: whoever waits is told until when. */
function nextTryInWords({ deps }: StageRun, { details }: AppError, retryInMs: number): string {
  if (details.retryAfterMs === undefined) return '';
  const at = new Date(deps.clock.now().getTime() + retryInMs);
  return ` It is tried again at ${at.toISOString()}.`;
}

/** A bug's own words stay in the log: they may hold what must not be shown. */
function failureInWords(stage: StageRun, error: AppError): string {
  if (error.code === 'internal' && error.details.detail === undefined) {
    return `Something failed inside Sluice. The server's log has the details under this issue's id, ${stage.run.lease.issueId}.`;
  }
  return error.message;
}

function failedStep({ step }: StageRun, detail: string, usage: Usage): StepOutcome {
  return { stage: step.stage, round: step.round, attempt: step.attempt, outcome: 'failed', usage, detail };
}

function failedEvent(
  { step }: StageRun,
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
