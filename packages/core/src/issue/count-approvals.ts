import type { ApproverReader, RoleReader } from '../access/caller.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import { type ApprovalPolicy, approvalStanding, policyAtGate } from '../pipeline/approval-policy.ts';
import type { Approval, Gate } from '../pipeline/gate.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import type { EventData } from './event-catalog.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';

export interface CountApprovalsContext {
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  readonly members: RoleReader & ApproverReader;
}

/** An approver at an open gate, and the policy that counts there now. */
export interface Approving {
  readonly gate: Gate;
  readonly policy: ApprovalPolicy;
  readonly by: Initiator;
}

/** Whose approvals no longer count, and why. */
type Dropped = Pick<EventData<'review.approvals_dropped'>, 'user_ids' | 'reason'>;

/**
 * The policy for an approval by this person.
 *
 * @throws AppError `requester_may_not_approve`; `issue_not_found` when the repository was removed meanwhile
 */
export async function policyFor(
  { repos }: Pick<CountApprovalsContext, 'repos'>,
  issue: Issue,
  { gate, by }: Omit<Approving, 'policy'>,
): Promise<ApprovalPolicy> {
  const rules = await repos.approvalRules(issue.repoId);
  if (rules === null) throw new AppError('issue_not_found');
  const policy = policyAtGate(gate, rules);
  if (approvalStanding(by.userId, { gate, policy, requesterId: issue.userId }) !== 'requester_may_not_approve') {
    return policy;
  }
  throw new AppError('requester_may_not_approve', {
    detail:
      'You created this issue, and here somebody else has to approve it. You can still instruct, reject or cancel it.',
  });
}

/** @throws AppError `already_approved` */
export function refuseSecondApproval(issue: Issue, { gate, policy, by }: Approving): void {
  if (approvalStanding(by.userId, { gate, policy, requesterId: issue.userId }) !== 'already_approved') return;
  const [so_far, needed] = [gate.approvals.length, policy.approvals];
  const what = gate.kind === 'plan' ? 'this plan' : 'this change';
  throw new AppError('already_approved', {
    detail: `You have approved ${what} already: it has ${so_far} of ${needed} approvals, and another person has to give the next one.`,
    body: { approvals: so_far, approvals_needed: needed },
  });
}

/**
 * Drops earlier approvals of people who may no longer approve here, and refuses this one, because the approver takes it for the
 * last one.
 *
 * @returns whether the issue has changed meanwhile, so that it has to be decided again
 * @throws AppError `approval_lapsed`
 */
export async function dropLapsed(
  context: CountApprovalsContext,
  issue: Issue,
  approving: Approving,
): Promise<'current' | 'changed'> {
  const lapsed = await lapsedApprovals(context, issue, approving);
  if (lapsed.length === 0) return 'current';
  const { gate, policy, by } = approving;
  const user_ids = lapsed.map(({ user_id }) => user_id);
  if (!(await dropApprovals(context, issue, { gate, by, user_ids, reason: 'approver_lost' }))) return 'changed';
  const left = gate.approvals.length - lapsed.length;
  const who = lapsed.length === 1 ? 'A person who approved before may' : 'People who approved before may';
  throw new AppError('approval_lapsed', {
    detail: `${who} no longer approve here, so their approval no longer counts. The gate now has ${left} of ${policy.approvals} approvals. Read it and approve again.`,
    body: { user_ids, approvals: left, approvals_needed: policy.approvals },
  });
}

async function lapsedApprovals(
  { members }: Pick<CountApprovalsContext, 'members'>,
  issue: Issue,
  { gate, policy }: Approving,
): Promise<readonly Approval[]> {
  if (gate.approvals.length === 0) return [];
  const users = gate.approvals.map(({ user_id }) => user_id as UserId);
  const may = new Set<string>(await members.approversAmong(issue.repoId, users));
  const isForbidden = (userId: string) => userId === issue.userId && !policy.requesterApproves;
  return gate.approvals.filter(({ user_id }) => !may.has(user_id) || isForbidden(user_id));
}

/** False, and nothing is written, when the issue has changed meanwhile. */
export async function dropApprovals(
  { issues }: Pick<CountApprovalsContext, 'issues'>,
  issue: Issue,
  { gate, by, ...dropped }: Pick<Approving, 'gate' | 'by'> & Dropped,
): Promise<boolean> {
  const approvals = gate.approvals.filter(({ user_id }) => !dropped.user_ids.includes(user_id));
  const { revision } = gate;
  const outcome = await issues.apply({
    issueId: issue.id,
    from: { status: issue.status, planRevision: revision, lastSeq: issue.lastSeq },
    trigger: 'approvals_dropped',
    set: { gate: { ...gate, approvals } },
    events: [{ type: 'review.approvals_dropped', data: { revision, ...dropped } }],
    audit: auditEntry(
      by,
      { action: 'issue.approvals_dropped', subjectId: issue.id, detail: { revision, user_ids: dropped.user_ids } },
      neededOnIssue('decide', issue, by),
    ),
  });
  return outcome.kind === 'applied';
}
