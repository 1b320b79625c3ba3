import type { Issue } from '../issue/issue.ts';
import { type Plan, plannedFiles, proposedCommands } from '../pipeline/plan.ts';
import { listed } from '../pipeline/test-facts.ts';
import type { RepoSettings } from '../repo/repo.ts';
import { visiblePath } from '../text/visible-text.ts';

/** Whether a follow-up is decided by the approval of the first issue's plan, or at a gate of its own. */
export type ApprovalSource =
  | { readonly kind: 'inherited'; readonly first: Issue }
  /** `reasons`: sentences for the approver; empty where an approval could not have been inherited anyway. */
  | { readonly kind: 'own_gate'; readonly reasons: readonly string[] };

interface FollowUpPlan {
  readonly issue: Pick<Issue, 'pipeline'>;
  readonly plan: Plan;
  /** Why the issue will fail if the plan is approved; null when it may succeed. */
  readonly blocker: string | null;
  /** The first issue of the pull request; null when it was deleted. */
  readonly first: Issue | null;
  readonly settings: RepoSettings;
}

/**
 * The approval that decides on the plan of a follow-up. The approval of the first issue's plan covers the work for a
 * build or a moved base, as long as the repository allows it and the new plan stays within the files of that one. A
 * person always decides on a plan that they have asked to be revised, or that proposes commands.
 */
export function approvalSource({ issue, plan, blocker, first, settings }: FollowUpPlan): ApprovalSource {
  const isCovered = canInherit(issue, settings) && plan.guidance === null && blocker === null;
  if (!isCovered || first === null || first.plan === null || first.pipeline.approved === null) {
    return { kind: 'own_gate', reasons: [] };
  }
  const { setup_command, test_command } = proposedCommands(plan);
  const outside = filesOutside(first.plan, plannedFiles(plan));
  const reasons = [
    ...(outside.length === 0 ? [] : [renderOutsideApproval(outside)]),
    ...(setup_command === undefined && test_command === undefined
      ? []
      : ['The plan proposes commands that were not approved.']),
  ];
  return reasons.length === 0 ? { kind: 'inherited', first } : { kind: 'own_gate', reasons };
}

/** Whether a follow-up is of a kind that the approval of the first issue may cover in this repository. */
function canInherit({ pipeline: { follow_up } }: Pick<Issue, 'pipeline'>, settings: RepoSettings): boolean {
  if (follow_up?.kind === 'build') return settings.follow_build === 'fix';
  return follow_up?.kind === 'base' && settings.follow_base === 'merge';
}

/** The paths that a plan does not name. */
export function filesOutside(plan: Plan, paths: readonly string[]): string[] {
  const planned = new Set(plannedFiles(plan));
  return paths.filter((path) => !planned.has(path));
}

/** Why a person is asked although an approval could be inherited. */
export function renderOutsideApproval(paths: readonly string[]): string {
  return `The follow-up touches files outside the approved plan: ${listed(paths.map(visiblePath))}.`;
}
