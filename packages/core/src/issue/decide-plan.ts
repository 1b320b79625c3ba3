import type { Authorized } from '../access/authorize.ts';
import { AppError } from '../error/app-error.ts';
import type { DecisionAction, NewEvent } from '../event/event-catalog.ts';
import type { UserId } from '../id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { IssueStore } from '../port/issue-store.ts';
import type { RepoStore } from '../port/repo-store.ts';
import type { BaseBranches } from '../port/workspace.ts';
import { accessTo, type RepoAccessContext } from '../repo/repo-access.ts';
import type { Issue } from './issue.ts';
import { type IssueTrigger, isOpenForDecision } from './issue-machine.ts';
import { plannedFiles } from './plan.ts';
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

export interface DecidePlanContext extends RepoAccessContext {
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  readonly bases: BaseBranches;
}

/**
 * A person's decision on the plan that awaits approval. Of several at once exactly one takes effect. An approval is for
 * the plan as it was seen, on the base that it was made on.
 *
 * @throws AppError `issue_not_awaiting_approval`; `plan_revision_stale` when `revision` is not the current one;
 * `plan_stale` when the base has moved in a planned file since; `remote_unreachable` when that cannot be found out
 */
export async function decidePlan(
  context: DecidePlanContext,
  issue: Authorized<Issue>,
  request: { decision: Decision; userId: UserId; signal: AbortSignal },
): Promise<Issue> {
  const { decision, userId, signal } = request;
  if (!isOpenForDecision(issue.status) || issue.gate === null) throw notAwaiting(issue);
  const revision = issue.gate.revision;
  if (decision.revision !== undefined && decision.revision !== revision) {
    throw new AppError('plan_revision_stale', {
      detail: `You saw revision ${decision.revision} of the plan; the current one is ${revision}. Read it and decide again.`,
      body: { revision },
    });
  }
  const { plan_hash, base_commit } = issue.gate;
  if (decision.action === 'approve') await requireSameBase(context, issue, signal);
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
    set: {
      stage,
      gate: null,
      pipeline: {
        ...issue.pipeline,
        guidance,
        approved: decision.action === 'approve' ? { revision, plan_hash, base_commit } : null,
      },
    },
    events: [decided],
  });
  if (outcome.kind === 'applied') return outcome.issue;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw notAwaiting(now);
}

/** @throws AppError `plan_stale`, with the planned files in which the base has moved */
async function requireSameBase(context: DecidePlanContext, issue: Issue, signal: AbortSignal): Promise<void> {
  const baseCommit = issue.gate?.base_commit ?? null;
  if (baseCommit === null || issue.plan === null) return;
  const repo = await context.repos.get(issue.repoId);
  if (repo === null) throw new AppError('issue_not_found');
  const { changed } = await context.bases.since({
    repo: accessTo(context, repo),
    branch: issue.baseBranch,
    baseCommit,
    signal,
  });
  const planned = new Set(plannedFiles(issue.plan));
  const files = changed.filter((path) => planned.has(path));
  if (files.length === 0) return;
  throw new AppError('plan_stale', {
    detail: `\`${issue.baseBranch}\` has moved since the plan was made, in ${files.length === 1 ? 'a file' : 'files'} that it changes: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}. Send \`instruct\` to have it planned anew on the new base.`,
    body: { files },
  });
}

function notAwaiting(issue: Issue): AppError {
  return wrongStatus('issue_not_awaiting_approval', issue, 'only one that is `awaiting_approval` can be decided');
}
