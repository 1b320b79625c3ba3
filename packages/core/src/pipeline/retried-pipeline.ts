import type { AppError } from '../error/app-error.ts';
import { isModelUnavailable } from '../error/model-unavailable.ts';
import { nextImplementRound, type PipelineState } from './pipeline-state.ts';
import type { Stage } from './stages.ts';

/**
 * Whether a retry after this failure continues the same round from its journal: the failure says nothing about the
 * agent's work, and no answer of a model is paid for twice.
 */
export function continuesRound(error: AppError): boolean {
  return error.code === 'budget_exhausted' || isModelUnavailable(error);
}

/**
 * The pipeline's state with which a failed issue continues at the stage that failed. Unless the round is resumable, the
 * stage gets a new one with an empty journal: the old journal may end in the very answer that failed the issue. The
 * bounds on send-backs start again. Everything found before stays.
 */
export function retriedPipeline({
  pipeline,
  stage,
}: {
  readonly pipeline: PipelineState;
  readonly stage: Stage | null;
}): PipelineState {
  const { rounds } = pipeline;
  if (rounds.resumable) return { ...pipeline, rounds: { ...rounds, resumable: false } };
  const past = { ...rounds.past };
  // A review's round is counted by its send-backs, which start again.
  past.review = (past.review ?? 0) + rounds.review_send_backs;
  let { implement } = rounds;
  if (stage === 'implement') implement = nextImplementRound(rounds);
  else if (stage !== null) past[stage] = (past[stage] ?? 0) + 1;
  return { ...pipeline, rounds: { ...rounds, implement, past, test_send_backs: 0, review_send_backs: 0 } };
}
