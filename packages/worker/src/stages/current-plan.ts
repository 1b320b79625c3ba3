import { AppError } from '@sluice/core/error';
import type { Issue } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';

/** The issue's current plan. The stages after the plan gate are not reached without one. */
export function currentPlan(issue: Issue): Plan {
  if (issue.plan === null) throw new AppError('internal', { detail: 'The issue has no plan to implement.' });
  return issue.plan;
}
