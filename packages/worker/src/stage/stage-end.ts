import type { AppError } from '@sluice/core/error';
import type { IssueResult, NewEvent, PublishedChangeRequest } from '@sluice/core/issue';
import type { Telemetry } from '@sluice/core/operation';
import {
  ANY_APPROVER,
  type Gate,
  gateApprovals,
  type Implementation,
  nextImplementRound,
  type PipelineState,
  type Plan,
  type Rounds,
  type Stage,
  stageAfter,
} from '@sluice/core/pipeline';
import type { StageContext } from './stage-context.ts';

interface Findings {
  /** What the stage found, merged into the pipeline's state. */
  readonly pipeline?: Partial<PipelineState>;
}

/** A successful end of a stage. All of it is written in one act, together with the end of the attempt. */
export interface StageDone extends Findings {
  readonly trigger: 'stage_advanced' | 'plan_completed' | 'confirmation_needed' | 'published';
  readonly next: Stage;
  /** For `stage.completed`. */
  readonly detail?: string;
  /** Messages of the service, written before `stage.completed`. */
  readonly notes?: readonly string[];
  /** Events written after `stage.completed`. */
  readonly events?: readonly NewEvent[];
  readonly plan?: Plan;
  readonly gate?: Gate;
  readonly result?: IssueResult;
  readonly changeRequest?: PublishedChangeRequest;
  /** For the metrics, after the write. */
  readonly retrieval?: Parameters<Telemetry['retrievalJudged']>[0] | null;
}

/** The end of a stage that found that the issue cannot continue. It is never retried. */
export interface StageGaveUp extends Findings {
  readonly trigger: 'gave_up';
  readonly error: AppError;
}

export type StageEnd = StageDone | StageGaveUp;

/** The end of a stage that leads to the next one. */
export function advance(stage: Stage, end: Omit<StageDone, 'trigger' | 'next'> = {}): StageDone {
  return { ...end, trigger: 'stage_advanced', next: stageAfter(stage) ?? stage };
}

export function gaveUp(error: AppError, findings: Findings = {}): StageGaveUp {
  return { ...findings, trigger: 'gave_up', error };
}

/** Sends the pipeline back to the coder, who reads `feedback` first, in a new round with an empty journal. */
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

type Opening = Pick<Gate, 'requested_at' | 'expires_at' | 'approvals' | 'approvals_needed' | 'requester_approves'>;

/** When the approver is asked, when the gate expires, and what approving takes. */
export async function openingOf(
  { deps, options, repo }: StageContext<'clock' | 'repos'>,
  kind: Gate['kind'],
): Promise<Opening> {
  const rules = await deps.repos.approvalRules(repo.id);
  const now = deps.clock.now();
  return {
    ...gateApprovals(rules === null ? ANY_APPROVER : rules[kind]),
    requested_at: now.toISOString(),
    expires_at: options.gateTimeoutMs === 0 ? null : new Date(now.getTime() + options.gateTimeoutMs).toISOString(),
  };
}
