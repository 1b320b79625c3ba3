import {
  type AppError,
  type Gate,
  type Implementation,
  type IssueResult,
  type NewEvent,
  nextImplementRound,
  type PipelineState,
  type Plan,
  type PublishedChangeRequest,
  type Rounds,
  type Stage,
  stageAfter,
  type Telemetry,
} from '@sluice/core';
import type { StageContext } from './stage-context.ts';

interface Findings {
  /** What the stage found out, laid over the pipeline's state. */
  readonly pipeline?: Partial<PipelineState>;
}

/** How a stage ended well. All of it is written in one act, together with the end of the stage run. */
export interface StageDone extends Findings {
  readonly trigger: 'stage_advanced' | 'plan_completed' | 'confirmation_needed' | 'published';
  readonly next: Stage;
  /** For `stage.completed`. */
  readonly detail?: string;
  /** What the service has to say, before `stage.completed`. */
  readonly notes?: readonly string[];
  /** What follows `stage.completed`. */
  readonly events?: readonly NewEvent[];
  readonly plan?: Plan;
  readonly gate?: Gate;
  readonly result?: IssueResult;
  readonly changeRequest?: PublishedChangeRequest;
  /** For the metrics, once all of this is written. */
  readonly retrieval?: Parameters<Telemetry['retrievalJudged']>[0] | null;
}

/** A stage that came to its end and found that the issue cannot go on: never tried again. */
export interface StageGaveUp extends Findings {
  readonly trigger: 'gave_up';
  readonly error: AppError;
}

export type StageEnd = StageDone | StageGaveUp;

/** The end of a stage that leads to the next one of the pipeline. */
export function advance(stage: Stage, end: Omit<StageDone, 'trigger' | 'next'> = {}): StageDone {
  return { ...end, trigger: 'stage_advanced', next: stageAfter(stage) ?? stage };
}

export function gaveUp(error: AppError, findings: Findings = {}): StageGaveUp {
  return { ...findings, trigger: 'gave_up', error };
}

/** Sends the pipeline back to the coder, who reads `feedback` first. A new round: its journal is empty. */
export function sendBack(
  { rounds }: PipelineState,
  why: { feedback: string; detail: string; rounds: Partial<Rounds>; implementation: Implementation },
): StageDone {
  return {
    trigger: 'stage_advanced',
    next: 'implement',
    detail: why.detail,
    pipeline: {
      implementation: why.implementation,
      feedback: why.feedback,
      rounds: { ...rounds, ...why.rounds, implement: nextImplementRound(rounds) },
    },
  };
}

/** When a person is asked, and until when he may answer. */
export function gateTimes({ deps, options }: StageContext): Pick<Gate, 'requested_at' | 'expires_at'> {
  const now = deps.clock.now();
  return {
    requested_at: now.toISOString(),
    expires_at: options.gateTimeoutMs === 0 ? null : new Date(now.getTime() + options.gateTimeoutMs).toISOString(),
  };
}
