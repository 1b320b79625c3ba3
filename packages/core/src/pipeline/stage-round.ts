import type { PipelineState } from './pipeline-state.ts';
import type { WorkerStage } from './stages.ts';

interface Progress {
  readonly plan: { readonly revision: number } | null;
  readonly pipeline: PipelineState;
}

/** How often the pipeline has come to a stage by itself: retries of a failed issue stand in `past_rounds`. */
const rounds: Readonly<Record<WorkerStage, (issue: Progress) => number>> = {
  prepare: () => 1,
  index: () => 1,
  triage: () => 1,
  plan: (issue) => (issue.plan?.revision ?? 0) + 1,
  // 0 until the first implementation is written: the approval that leads to it counts nothing.
  implement: (issue) => Math.max(issue.pipeline.implement_round, 1),
  // Each implementation is tested once, and reviewed once unless its tests sent it back.
  test: (issue) => Math.max(issue.pipeline.implement_round, 1),
  review: (issue) => issue.pipeline.review_send_backs + 1,
  publish: () => 1,
};

/**
 * How often the pipeline has come to a stage, this time included. Made from what is stored, so a stage that is
 * entered again after a crash goes on with the same round, and with the same journal.
 */
export function stageRound(stage: WorkerStage, issue: Progress): number {
  return rounds[stage](issue) + (issue.pipeline.past_rounds?.[stage] ?? 0);
}
