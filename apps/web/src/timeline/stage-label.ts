import type { Stage } from '@sluice/client';

const labels: Readonly<Record<Stage, string>> = {
  prepare: 'Prepare',
  index: 'Index',
  triage: 'Triage',
  plan: 'Plan',
  human_review: 'Decision',
  implement: 'Implement',
  test: 'Test',
  review: 'Review',
  publish: 'Publish',
};

/** The name of a stage, as a heading. A later server may have stages that this page does not know. */
export function stageLabel(stage: Stage): string {
  return labels[stage] ?? stage;
}
