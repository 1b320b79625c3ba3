import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { type ApproverReader, type Caller, type RoleReader, roleOf } from '../access/caller.ts';
import { includesRole, repoActs } from '../access/role.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import type { Clock } from '../async/clock.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import { type ApprovalPolicy, approvalStanding, policyAtGate } from '../pipeline/approval-policy.ts';
import type { Approval, Gate } from '../pipeline/gate.ts';
import { proposedCommands } from '../pipeline/plan.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import { type CompareBaseContext, compareBase } from './compare-base.ts';
import { addingChange, type Decision, type DecisionRequest, decidingChange, droppingChange } from './gate-change.ts';
import type { Issue } from './issue.ts';
import { isOpenForDecision } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

export interface DecideGateContext extends CompareBaseContext {
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  readonly members: RoleReader & ApproverReader;
  /** Who decides, with the limits of their token. */
  readonly caller: Caller;
  readonly clock: Clock;
}

/**
 * Records an approver's decision at the plan gate or the publish gate. Of several concurrent decisions exactly one takes
 * effect. Where the policy needs two approvals, the first is added to the gate; to reject or to instruct takes one person. An
 * approval is bound to what the approver saw: the plan and its base commit, or the commit to publish.
 *
 * @throws AppError `issue_not_awaiting_approval`; `requester_may_not_approve`; `already_approved`; `approval_lapsed` when an earlier
 * approver has lost the role, was disabled, or may not approve by stricter rules; `plan_revision_stale` when `revision` is not
 * the current one;
 * `issue_not_awaiting_publication` when `headCommit` is not the commit that awaits publication, or is missing from an
 * approval at the publish gate; `plan_stale` when a planned file has changed on the base branch; `base_branch_gone`;
 * one of `remoteErrors` when the base branch cannot be read, and what `currentRepo` throws
 */
export async function decideGate(
  context: DecideGateContext,
  issue: Authorized<Issue, 'decide'>,
  request: DecisionRequest,
): Promise<Issue> {
  const { decision, by } = request;
  const { gate } = issue;
  if (!isOpenForDecision(issue.status) || gate === null) throw notAwaiting(issue);
  const policy = decision.action === 'approve' ? await policyFor(context, issue, { gate, by }) : null;
  requireSeen(gate, decision);
  if (policy !== null && (await requireApprovable(context, issue, { gate, policy, request })) === 'changed') {
    return await decideAgain(context, issue, { gate, request });
  }
  const approvals = [...gate.approvals, { user_id: by.userId, at: context.clock.now().toISOString() }];
  const isLast = policy === null || approvals.length >= policy.approvals;
  const change = isLast
    ? decidingChange(issue, gate, { request, policy, approvals })
    : addingChange(issue, gate, { request, policy, approvals });
  const outcome = await context.issues.apply(change);
  if (outcome.kind !== 'applied') return await decideAgain(context, issue, { gate, request });
  if (gate.kind === 'plan' && decision.action === 'approve' && isLast) await keepCommands(context, issue, by);
  return outcome.issue;
}

/** After a write that found the issue changed: a change of anything but its gate does not end the decision. */
async function decideAgain(
  context: DecideGateContext,
  issue: Issue,
  { gate, request }: { gate: Gate; request: DecisionRequest },
): Promise<Issue> {
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  if (!isOpenForDecision(now.status) || now.gate === null) throw notAwaiting(now);
  // The issue changed, but its gate did not: decide again.
  if (isSameQuestion(now.gate, gate)) return await decideGate(context, asAuthorized(now), request);
  throw new AppError(gate.kind === 'plan' ? 'plan_revision_stale' : 'issue_not_awaiting_publication');
}

/**
 * Checks whether an approval is possible.
 *
 * @returns `changed` when the issue has changed meanwhile, so that it has to be decided again
 * @throws AppError `already_approved`, `approval_lapsed`, and what `requireSameBase` throws
 */
async function requireApprovable(
  context: DecideGateContext,
  issue: Issue,
  { gate, policy, request }: { gate: Gate; policy: ApprovalPolicy; request: DecisionRequest },
): Promise<'current' | 'changed'> {
  const { by, signal } = request;
  const approving = { gate, policy, by };
  refuseSecondApproval(issue, approving);
  if (gate.kind === 'plan') {
    await requireSameBase(context, issue, signal).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'plan_stale' && gate.approvals.length > 0) {
        const user_ids = gate.approvals.map(({ user_id }) => user_id);
        // Where the issue has changed meanwhile, the next approval finds the same.
        await context.issues.apply(droppingChange(issue, gate, { by, user_ids, reason: 'base_moved' }));
      }
      throw error;
    });
  }
  return await dropLapsed(context, issue, approving);
}

/** Compares the fields that identify a gate. The others follow from them. */
function isSameQuestion(one: Gate, other: Gate): boolean {
  return (
    one.kind === other.kind &&
    one.revision === other.revision &&
    one.plan_hash === other.plan_hash &&
    one.base_commit === other.base_commit &&
    one.head_commit === other.head_commit &&
    one.requested_at === other.requested_at
  );
}

function requireSeen({ kind, revision, head_commit }: Gate, seen: Decision): void {
  if (seen.revision !== undefined && seen.revision !== revision) {
    throw new AppError('plan_revision_stale', {
      detail: `You saw revision ${seen.revision} of the plan; the current one is ${revision}. Read the current plan and decide again.`,
      body: { revision },
    });
  }
  const body = { head_commit };
  if (seen.headCommit === undefined) {
    // A repeated approval of the plan has the right revision. Without this check it would publish a change unseen.
    if (kind === 'plan' || seen.action !== 'approve') return;
    const detail = `This approval would publish commit ${head_commit}. Review the change, then approve it with that \`head_commit\`.`;
    throw new AppError('issue_not_awaiting_publication', { detail, body });
  }
  if (kind === 'plan') {
    const detail = 'The decision is about a plan, not about a commit. Leave out `head_commit`.';
    throw new AppError('issue_not_awaiting_publication', { detail, body });
  }
  if (seen.headCommit !== head_commit) throw new AppError('issue_not_awaiting_publication', { body });
}

/** An approver at an open gate, and the policy that counts there now. */
interface Approving {
  readonly gate: Gate;
  readonly policy: ApprovalPolicy;
  readonly by: Initiator;
}

/**
 * The policy for an approval by this person.
 *
 * @throws AppError `requester_may_not_approve`; `issue_not_found` when the repository was removed meanwhile
 */
async function policyFor(
  { repos }: Pick<DecideGateContext, 'repos'>,
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
function refuseSecondApproval(issue: Issue, { gate, policy, by }: Approving): void {
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
async function dropLapsed(
  context: DecideGateContext,
  issue: Issue,
  approving: Approving,
): Promise<'current' | 'changed'> {
  const lapsed = await lapsedApprovals(context, issue, approving);
  if (lapsed.length === 0) return 'current';
  const { gate, policy, by } = approving;
  const user_ids = lapsed.map(({ user_id }) => user_id);
  const outcome = await context.issues.apply(droppingChange(issue, gate, { by, user_ids, reason: 'approver_lost' }));
  if (outcome.kind !== 'applied') return 'changed';
  const left = gate.approvals.length - lapsed.length;
  const who = lapsed.length === 1 ? 'A person who approved before may' : 'People who approved before may';
  const what = gate.kind === 'plan' ? 'plan' : 'change';
  throw new AppError('approval_lapsed', {
    detail: `${who} no longer approve here, so their approval no longer counts. The gate now has ${left} of ${policy.approvals} approvals. Read the ${what} and approve again.`,
    body: { user_ids, approvals: left, approvals_needed: policy.approvals },
  });
}

async function lapsedApprovals(
  { members }: Pick<DecideGateContext, 'members'>,
  issue: Issue,
  { gate, policy }: Approving,
): Promise<readonly Approval[]> {
  if (gate.approvals.length === 0) return [];
  const users = gate.approvals.map(({ user_id }) => user_id as UserId);
  const may = new Set<string>(await members.approversAmong(issue.repoId, users));
  const isForbidden = (userId: string) => userId === issue.userId && !policy.requesterApproves;
  return gate.approvals.filter(({ user_id }) => !may.has(user_id) || isForbidden(user_id));
}

/** @throws AppError `plan_stale` with the planned files that have changed on the base branch, and what `compareBase` throws */
async function requireSameBase(context: DecideGateContext, issue: Issue, signal: AbortSignal): Promise<void> {
  const files = (await compareBase(context, issue, signal))?.plannedFiles ?? [];
  if (files.length === 0) return;
  throw new AppError('plan_stale', {
    detail: `\`${issue.baseBranch}\` has changed since the plan was made, in ${files.length === 1 ? 'a file' : 'files'} that the plan changes: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}. Send \`instruct\` to get a new plan on the new base.`,
    body: { files: [...files] },
  });
}

function notAwaiting(issue: Issue): AppError {
  return wrongStatus('issue_not_awaiting_approval', issue, 'only an issue that is `awaiting_approval` can be decided');
}

/**
 * The repository keeps the commands that the approved plan proposes, unless it has its own already, and if the approver may change
 * its settings. The issue itself goes by its plan, so nothing is lost if this is not written.
 */
async function keepCommands(context: DecideGateContext, { plan, repoId }: Issue, by: Initiator): Promise<void> {
  const { setup_command, test_command } = plan === null ? {} : proposedCommands(plan);
  if (setup_command === undefined && test_command === undefined) return;
  const { repos, caller } = context;
  const role = await roleOf(context, caller, repoId);
  if (role === null || !includesRole(role, repoActs.configure)) return;
  const repo = await repos.get(repoId);
  if (repo === null) return;
  const keepsSetup = setup_command !== undefined && repo.setupCommand === null;
  const keepsTest = test_command !== undefined && repo.testCommand === null;
  const fields = [...(keepsSetup ? ['setup_command'] : []), ...(keepsTest ? ['test_command'] : [])];
  if (fields.length === 0) return;
  const kept = repos.update(
    repoId,
    { ...(keepsSetup && { setupCommand: setup_command }), ...(keepsTest && { testCommand: test_command }) },
    (name) =>
      auditEntry(
        by,
        { action: 'repo.changed', subjectId: repoId, detail: { name, fields } },
        neededOnRepo('configure', repo),
      ),
  );
  await kept.catch((error: unknown) => {
    // The decision has been made; they are no admin any more.
    if (!(error instanceof AppError) || !isAccessLost(error)) throw error;
  });
}

function isAccessLost({ code }: AppError): boolean {
  return code === 'not_owner' || code === 'role_insufficient';
}
