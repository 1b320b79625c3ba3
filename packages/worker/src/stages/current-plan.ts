import { AppError, type Issue, type Plan } from '@sluice/core';

/** The plan that was approved. An issue cannot come to a stage after the review without one. */
export function currentPlan(issue: Issue): Plan {
  if (issue.plan === null) throw new AppError('internal', { detail: 'The issue has no plan to carry out.' });
  return issue.plan;
}
