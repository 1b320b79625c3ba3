import type { PipelineState } from './pipeline-state.ts';
import type { WorkerStage } from './stages.ts';

interface Progress {
  readonly plan: { readonly revision: number } | null;
  readonly pipeline: PipelineState;
}

/** Rounds of a stage that the pipeline's own course accounts for; `rounds.past` has those before a retry. */
const rounds: Readonly<Record<WorkerStage, (issue: Progress) => number>> = {
  prepare: () => 1,
  index: () => 1,
  triage: () => 1,
  plan: (issue) => (issue.plan?.revision ?? 0) + 1,
  // 0 until the first implementation is written: the approval that leads to it does not count.
  implement: (issue) => Math.max(issue.pipeline.rounds.implement, 1),
  // Each implementation is tested once, and reviewed once unless its tests sent it back.
  test: (issue) => Math.max(issue.pipeline.rounds.implement, 1),
  review: (issue) => issue.pipeline.rounds.review_send_backs + 1,
  publish: () => 1,
};

/**
 * The round in which the pipeline is, or will be, at a stage. It is computed from what is stored, so a stage that is
 * entered again after a crash continues the same round, with the same journal.
 */
export function stageRound(stage: WorkerStage, issue: Progress): number {
  return rounds[stage](issue) + (issue.pipeline.rounds.past[stage] ?? 0);
}
