import type { Authorized } from '../access/authorize.ts';
import { AppError } from '../error/app-error.ts';
import type { DecisionAction, NewEvent } from '../event/event-catalog.ts';
import type { UserId } from '../id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { IssueStore } from '../port/issue-store.ts';
import type { Issue } from './issue.ts';
import { type IssueTrigger, isOpenForDecision } from './issue-machine.ts';
import { wrongStatus } from './refusals.ts';

export type Decision =
  | {
      readonly action: 'approve' | 'reject';
      readonly revision?: number | undefined;
    }
  | {
      readonly action: 'instruct';
      readonly guidance: string;
      readonly revision?: number | undefined;
    };

const outcomes = {
  approve: { trigger: 'plan_approved', stage: 'implement' },
  reject: { trigger: 'plan_rejected', stage: 'human_review' },
  instruct: { trigger: 'guidance_given', stage: 'plan' },
} as const satisfies Record<DecisionAction, { trigger: IssueTrigger; stage: Stage }>;

/**
 * A person's decision on the plan that awaits approval. Of several at once exactly one takes effect.
 *
 * @throws AppError `issue_not_awaiting_approval`, or `plan_revision_stale` when `revision` is not the current one
 */
export async function decidePlan(
  context: { issues: IssueStore },
  issue: Authorized<Issue>,
  request: { decision: Decision; userId: UserId },
): Promise<Issue> {
  const { decision, userId } = request;
  if (!isOpenForDecision(issue.status) || issue.gate === null) throw notAwaiting(issue);
  const revision = issue.gate.revision;
  if (decision.revision !== undefined && decision.revision !== revision) {
    throw new AppError('plan_revision_stale', {
      detail: `You saw revision ${decision.revision} of the plan; the current one is ${revision}. Read it and decide again.`,
      body: { revision },
    });
  }
  const { trigger, stage } = outcomes[decision.action];
  const guidance = decision.action === 'instruct' ? decision.guidance : null;
  const decided: NewEvent = {
    type: 'review.decided',
    data: { revision, action: decision.action, guidance, user_id: userId },
  };
  const outcome = await context.issues.apply({
    issueId: issue.id,
    from: { status: issue.status, planRevision: revision },
    trigger,
    set: { stage, gate: null, pipeline: { ...issue.pipeline, guidance } },
    events: [decided],
  });
  if (outcome.kind === 'applied') return outcome.issue;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw notAwaiting(now);
}

function notAwaiting(issue: Issue): AppError {
  return wrongStatus('issue_not_awaiting_approval', issue, 'only one that is `awaiting_approval` can be decided');
}
