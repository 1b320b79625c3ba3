import type { IssueStatus, IssueSummary, Stage } from '@sluice/client';

/** What is being done in each stage, as one says it of an issue: "It is …". */
export const stageWords: Readonly<Record<Stage, string>> = {
  prepare: 'preparing the repository',
  index: 'indexing the code',
  triage: 'reading the issue',
  plan: 'writing the plan',
  human_review: 'waiting for a decision',
  implement: 'writing the change',
  test: 'running the tests',
  review: 'reviewing the change',
  publish: 'publishing the branch',
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
