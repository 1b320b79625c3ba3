import type { Issue, NewAttempt, NewEvent } from '@sluice/core/issue';
import { pipelineStages, stageRound, type WorkerStage } from '@sluice/core/pipeline';
import { stageUsage } from '../agent/stage-usage.ts';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageDone } from '../stage/stage-end.ts';

/**
 * Writes the result of a stage in one act: the end of the attempt, its events, its findings and the next stage. When this
 * execution continues with that stage, the start of its first attempt is included.
 */
export async function writeStageEnd(stage: StageContext, end: StageDone, durationMs: number): Promise<Issue> {
  const { execution, attempt } = stage;
  const usage = await stageUsage(stage);
  const detail = end.detail ?? null;
  const notes = (end.notes ?? []).map(
    (text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } }),
  );
  const completed: NewEvent = {
    type: 'stage.completed',
    data: {
      stage: attempt.stage,
      agent: pipelineStages[attempt.stage].agent,
      attempt: attempt.attempt,
      duration_ms: durationMs,
      usage: usage.round,
      detail,
    },
  };
  const pipeline = { ...execution.issue().pipeline, ...end.pipeline };
  const goesOn = end.trigger === 'stage_advanced' && end.next !== 'human_review' && !stage.draining.aborted;
  return execution.apply({
    trigger: end.trigger,
    set: {
      stage: end.next,
      pipeline,
      ...(end.gate === undefined ? {} : { gate: end.gate }),
      ...(end.result === undefined ? {} : { result: end.result }),
      ...(end.changeRequest === undefined ? {} : { changeRequest: end.changeRequest }),
    },
    ...(end.plan === undefined ? {} : { plan: end.plan }),
    ended: {
      stage: attempt.stage,
      round: attempt.round,
      attempt: attempt.attempt,
      outcome: 'completed',
      usage: usage.attempt,
      detail,
    },
    ...(goesOn && { begin: nextAttempt(end.next, { ...execution.issue(), pipeline }) }),
    events: [...notes, completed, ...(end.events ?? [])],
  });
}

/** The attempt that starts when the pipeline has reached `stage`. */
export function nextAttempt(stage: WorkerStage, issue: Issue): NewAttempt {
  return { stage, round: stageRound(stage, issue), agent: pipelineStages[stage].agent };
}
