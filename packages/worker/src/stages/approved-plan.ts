import { AppError, type Issue, type Plan, planHash } from '@sluice/core';

/**
 * The plan, if it is the one that was approved, on the base that it was approved for. Approvals of before this was
 * recorded hold for the plan that is there.
 *
 * @throws AppError `plan_revision_stale`
 */
export function approvedPlan(issue: Issue): Plan {
  const plan = currentPlan(issue);
  const { approved, prepared } = issue.pipeline;
  const isSamePlan = (approved?.plan_hash ?? null) === null || approved?.plan_hash === planHash(plan);
  const isSameBase = (approved?.base_commit ?? null) === null || approved?.base_commit === prepared?.base_commit;
  if (isSamePlan && isSameBase) return plan;
  throw new AppError('plan_revision_stale', {
    detail: `The ${isSamePlan ? 'base is not the one' : 'plan is not the one'} that was approved, so it is not carried out.`,
  });
}

/** The plan that was approved. An issue cannot come to a stage after the review without one. */
export function currentPlan(issue: Issue): Plan {
  if (issue.plan === null) throw new AppError('internal', { detail: 'The issue has no plan to carry out.' });
  return issue.plan;
}
