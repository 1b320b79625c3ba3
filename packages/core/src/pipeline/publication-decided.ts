import type { DecisionAction, Gate } from './gate.ts';
import { nextImplementRound, type PipelineState } from './pipeline-state.ts';

/**
 * The pipeline's state after a decision at the publish gate. An approval holds for its commit only. Guidance leads back
 * to the coder, who continues from that commit; it is not the coder's failure, so the bounds on send-backs start again.
 * Every stage that the pipeline reaches again gets a new round.
 */
export function publicationDecided(
  { pipeline, gate }: { readonly pipeline: PipelineState; readonly gate: Gate | null },
  guidance: string | null,
  action: DecisionAction,
): PipelineState {
  if (action === 'reject') return pipeline;
  const { rounds } = pipeline;
  const past = { ...rounds.past, publish: (rounds.past.publish ?? 0) + 1 };
  if (action === 'approve') {
    const head_commit = gate?.head_commit ?? '';
    const { asked = [], change_request = null } = pipeline.publication ?? {};
    const confirmed = { head_commit, files: asked };
    return {
      ...pipeline,
      rounds: { ...rounds, past },
      publication: { head_commit, asked, change_request, confirmed },
    };
  }
  return {
    ...pipeline,
    rounds: {
      ...rounds,
      implement: nextImplementRound(rounds),
      past: { ...past, review: (past.review ?? 0) + rounds.review_send_backs + 1 },
      test_send_backs: 0,
      review_send_backs: 0,
    },
    feedback: `A person reviewed the change before publication and asks for this:\n${guidance ?? ''}`,
  };
}
