import { approvalSource } from '@sluice/core/follow-up';
import type { Issue, NewEvent } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import type { StageContext } from '../../stage/stage-context.ts';

/** Why a follow-up whose kind could inherit an approval is decided at a gate of its own; empty where it is not, or need not be told. */
export async function ownGateReasons(
  { deps, execution, repo }: StageContext<'issues'>,
  plan: Plan,
  blocker: string | null,
): Promise<readonly string[]> {
  const issue = execution.issue();
  if (!isAskedLater(issue) || issue.parentIssueId === null) return [];
  const first = await deps.issues.get(issue.parentIssueId);
  const source = approvalSource({ issue, plan, blocker, first, settings: repo.settings });
  return source.kind === 'own_gate' ? source.reasons : [];
}

/** The events by which a person is asked to decide on the plan, in the write that stores it. */
export function requestedWithPlan(issue: Issue, revision: number): NewEvent[] {
  return isAskedLater(issue) ? [] : [{ type: 'review.requested', data: { revision } }];
}

/** The same in the write that opens the gate: where an approval can be inherited, only that one knows whether a person is asked. */
export function requestedWithGate(issue: Issue): NewEvent[] {
  return isAskedLater(issue) ? [{ type: 'review.requested', data: { revision: issue.gate?.revision ?? 1 } }] : [];
}

function isAskedLater({ pipeline: { follow_up } }: Issue): boolean {
  return follow_up?.kind === 'build' || follow_up?.kind === 'base';
}
