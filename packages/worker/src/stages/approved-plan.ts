import { AppError } from '@sluice/core/error';
import type { Issue } from '@sluice/core/issue';
import { type Plan, planHash } from '@sluice/core/pipeline';

/**
 * The plan, if it is the approved one, on the base that the approval was for. Approvals from before this was recorded hold
 * for the current plan.
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
    detail: `The ${isSamePlan ? 'base is not the one' : 'plan is not the one'} that was approved, so it is not implemented.`,
  });
}

/** The issue's current plan. The stages after the plan gate are not reached without one. */
export function currentPlan(issue: Issue): Plan {
  if (issue.plan === null) throw new AppError('internal', { detail: 'The issue has no plan to implement.' });
  return issue.plan;
}
