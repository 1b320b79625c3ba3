/**
 * The stages of the pipeline, in order. `agent` does the work of the stage: a role, a person, or the service itself. The
 * next row follows on success. `test` and `review` can send the pipeline back to `implement`, a limited number of times.
 */
export const pipelineStages = {
  prepare: { agent: 'service' },
  index: { agent: 'service' },
  triage: { agent: 'triager' },
  plan: { agent: 'planner' },
  human_review: { agent: 'person' },
  implement: { agent: 'coder' },
  test: { agent: 'service' },
  review: { agent: 'reviewer' },
  publish: { agent: 'service' },
} as const satisfies Record<string, { agent: string }>;

export type Stage = keyof typeof pipelineStages;
/** The stages that a worker runs: all except `human_review`. */
export type WorkerStage = Exclude<Stage, 'human_review'>;

export const stages = Object.keys(pipelineStages) as [Stage, ...Stage[]];

/** The stage after `stage`, or `null` after the last one. */
export function stageAfter(stage: Stage): Stage | null {
  return stages[stages.indexOf(stage) + 1] ?? null;
}
