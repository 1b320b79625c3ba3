import type { AppError } from '../error/app-error.ts';
import { isModelUnavailable } from '../error/model-unavailable.ts';
import type { PipelineState } from './pipeline-state.ts';
import type { Stage } from './stages.ts';

/**
 * Whether a retry after this failure goes on in the same round, from its journal: it says nothing about the agent's work,
 * and no answer is to be paid for twice.
 */
export function continuesRound(error: AppError): boolean {
  return error.code === 'budget_exhausted' || isModelUnavailable(error);
}

/**
 * The pipeline's state with which a failed issue goes on at the stage that failed. Unless the round goes on, the stage
 * gets a new one, whose journal is empty: the old one may end in the very answer that failed the issue. The bounds on
 * ways back to the coder start again. All that was found out before stays.
 */
export function retriedPipeline({
  pipeline,
  stage,
}: {
  readonly pipeline: PipelineState;
  readonly stage: Stage | null;
}): PipelineState {
  if (pipeline.round_goes_on === true) return { ...pipeline, round_goes_on: false };
  const past = { ...pipeline.past_rounds };
  // A review's round is counted by its send-backs, which begin again.
  past.review = (past.review ?? 0) + pipeline.review_send_backs;
  let { implement_round } = pipeline;
  if (stage === 'implement') implement_round = Math.max(implement_round, 1) + 1;
  else if (stage !== null) past[stage] = (past[stage] ?? 0) + 1;
  return { ...pipeline, implement_round, past_rounds: past, test_send_backs: 0, review_send_backs: 0 };
}
