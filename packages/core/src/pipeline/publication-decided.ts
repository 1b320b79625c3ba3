import type { DecisionAction, Gate } from './gate.ts';
import type { PipelineState } from './pipeline-state.ts';

/**
 * The pipeline's state after a person's decision at the publish gate. A word for a commit holds for that commit alone.
 * Guidance leads back to the coder, who goes on from his commit; it is no failure of his, so the bounds on ways back
 * begin again. Every stage that is come to again gets a round that was not before.
 */
export function publicationDecided(
  { pipeline, gate }: { readonly pipeline: PipelineState; readonly gate: Gate | null },
  guidance: string | null,
  action: DecisionAction,
): PipelineState {
  if (action === 'reject') return pipeline;
  const past = { ...pipeline.past_rounds, publish: (pipeline.past_rounds?.publish ?? 0) + 1 };
  if (action === 'approve') {
    const head_commit = gate?.head_commit ?? '';
    const { asked = [], change_request = null } = pipeline.publication ?? {};
    const confirmed = { head_commit, files: asked };
    return { ...pipeline, past_rounds: past, publication: { head_commit, asked, change_request, confirmed } };
  }
  return {
    ...pipeline,
    past_rounds: { ...past, review: (past.review ?? 0) + pipeline.review_send_backs + 1 },
    implement_round: Math.max(pipeline.implement_round, 1) + 1,
    test_send_backs: 0,
    review_send_backs: 0,
    feedback: `A person reviewed the change before publication and asks for this:\n${guidance ?? ''}`,
  };
}
