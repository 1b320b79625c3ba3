import type { IssueStatus, IssueSummary, Stage } from '@sluice/client';

/** The stages in order, as headings name them. */
export const stageNames = {
  prepare: 'Prepare',
  index: 'Index',
  triage: 'Triage',
  plan: 'Plan',
  human_review: 'Decision',
  implement: 'Implement',
  test: 'Test',
  review: 'Review',
  publish: 'Publish',
} as const satisfies Record<Stage, string>;

/** The name of a stage, as a heading. A later server may have stages that this console does not know. */
export function stageLabel(stage: Stage): string {
  return stageNames[stage] ?? stage;
}

/** A stage in the middle of a sentence; null for none, and for one that this console does not know. */
export function stageName(stage: string | null): string | null {
  const known = Object.entries(stageNames).find(([name]) => name === stage);
  return known === undefined ? null : known[1].toLowerCase();
}

/** The work of each stage, as the end of "It is …". */
export const stageWords: Readonly<Record<Stage, string>> = {
  prepare: 'preparing the repository',
  index: 'indexing the code',
  triage: 'reading the issue',
  plan: 'writing the plan',
  human_review: 'waiting for a decision',
  implement: 'writing the change',
  test: 'running the tests',
  review: 'reviewing the change',
  publish: 'publishing the change',
};

export const statusWords: Readonly<Record<IssueStatus, string>> = {
  pending: 'Not started',
  running: 'Running',
  human_review: 'Waiting for a decision',
  awaiting_approval: 'Waiting for a decision',
  completed: 'Completed',
  rejected: 'Rejected',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const verdictWords: Readonly<Record<NonNullable<IssueSummary['verdict']>, string>> = {
  green: 'tests pass',
  red_as_before: 'tests fail as before',
  red: 'tests fail',
};
