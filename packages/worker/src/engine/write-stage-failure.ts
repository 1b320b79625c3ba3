import type { AppError } from '@sluice/core/error';
import type { AttemptOutcome, EventData, Issue, IssueStore, NewEvent } from '@sluice/core/issue';
import { continuesRound, keptByRetry, pipelineStages, stageRound, type Usage } from '@sluice/core/pipeline';
import { stageUsage } from '../agent/stage-usage.ts';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageGaveUp } from '../stage/stage-end.ts';
import { maxStageAttempts, retryDelayMs } from './retry-policy.ts';

/**
 * Records that a stage failed. The error's catalogue entry and the number of failures in this round decide on a retry.
 *
 * @returns the milliseconds until the retry; null when the pipeline has given up
 */
export async function writeStageFailure(
  stage: StageContext,
  error: AppError,
  durationMs: number,
): Promise<number | null> {
  const { deps, execution } = stage;
  const failures = (await failuresSoFar(deps.issues, execution.issue())) + 1;
  const retryInMs = retryDelayMs(error, failures);
  if (retryInMs === null) {
    await writeGaveUp(stage, { trigger: 'gave_up', error }, durationMs);
    return null;
  }
  const detail = renderFailure(stage, error);
  const usage = await stageUsage(stage);
  await execution.write((lease) =>
    deps.runs.failAttempt(
      lease,
      failedAttempt(stage, detail, usage.attempt),
      failedEvent(stage, {
        detail,
        durationMs,
        retry: {
          at: new Date(deps.clock.now().getTime() + retryInMs).toISOString(),
          failures,
          max_failures: maxStageAttempts(error),
        },
      }),
    ),
  );
  return retryInMs;
}

/** Ends the issue as `failed` in one act, with the stage, the reason, and whether a retry continues the round. */
export async function writeGaveUp(stage: StageContext, end: StageGaveUp, durationMs: number): Promise<void> {
  const { execution, attempt } = stage;
  const usage = await stageUsage(stage);
  const detail = renderFailure(stage, end.error);
  const { plan } = execution.issue();
  const pipeline = { ...execution.issue().pipeline, ...end.pipeline };
  await execution.apply({
    trigger: 'gave_up',
    set: {
      error: { stage: attempt.stage, detail },
      pipeline: {
        ...pipeline,
        rounds: { ...pipeline.rounds, resumable: continuesRound(end.error) },
        ended: {
          stage: attempt.stage,
          round: stageRound(attempt.stage, { plan, pipeline }),
          reason: detail,
          keeps: keptByRetry(end.error),
        },
      },
    },
    ended: failedAttempt(stage, detail, usage.attempt),
    events: [failedEvent(stage, { detail, durationMs })],
  });
}

/** The text of a bug stays in the log: it may contain what must not be shown. */
function renderFailure(stage: StageContext, error: AppError): string {
  if (error.code === 'internal' && error.details.detail === undefined) {
    return `Something failed inside Sluice. The server's log has the details under this issue's id, ${stage.execution.lease.issueId}.`;
  }
  return error.message;
}

function failedAttempt({ attempt }: StageContext, detail: string, usage: Usage): AttemptOutcome {
  return { stage: attempt.stage, round: attempt.round, attempt: attempt.attempt, outcome: 'failed', usage, detail };
}

function failedEvent(
  { attempt }: StageContext,
  failure: { detail: string; durationMs: number; retry?: EventData<'stage.failed'>['retry'] },
): NewEvent {
  return {
    type: 'stage.failed',
    data: {
      stage: attempt.stage,
      agent: pipelineStages[attempt.stage].agent,
      attempt: attempt.attempt,
      duration_ms: failure.durationMs,
      detail: failure.detail,
      will_retry: failure.retry !== undefined,
      ...(failure.retry === undefined ? {} : { retry: failure.retry }),
    },
  };
}

const WINDOW = 200;

/**
 * How often the current stage has failed since the pipeline entered it. Attempts are not failures: a restart or a killed
 * process says nothing about the stage and must not use up its retries. Reads backwards from the newest event.
 */
async function failuresSoFar(issues: IssueStore, issue: Issue): Promise<number> {
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
