import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import type { Clock } from '../async/clock.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { ApprovalPolicy } from '../pipeline/approval-policy.ts';
import type { Approval, DecisionAction, Gate } from '../pipeline/gate.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import { publicationDecided } from '../pipeline/publication-decided.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import { type CompareBaseContext, compareBase } from './compare-base.ts';
import {
  type CountApprovalsContext,
  dropApprovals,
  dropLapsed,
  policyFor,
  refuseSecondApproval,
} from './count-approvals.ts';
import type { NewEvent } from './event-catalog.ts';
import type { Issue } from './issue.ts';
import { type IssueTrigger, isOpenForDecision, needsSlot, nextStatus } from './issue-machine.ts';
import type { IssueChange, IssueStore } from './issue-store.ts';
import { type KeepCommandsContext, keepCommands } from './keep-commands.ts';
import { wrongStatus } from './wrong-status.ts';

interface Seen {
  readonly revision?: number | undefined;
  /** The commit to publish, as the approver saw it. Required to approve at the publish gate. */
  readonly headCommit?: string | undefined;
}

export type Decision =
  | (Seen & { readonly action: 'approve' | 'reject' })
  | (Seen & { readonly action: 'instruct'; readonly guidance: string });

const outcomes = {
  plan: {
    approve: { trigger: 'plan_approved', stage: 'implement' },
    reject: { trigger: 'plan_rejected', stage: 'human_review' },
    instruct: { trigger: 'guidance_given', stage: 'plan' },
  },
  publish: {
    approve: { trigger: 'publication_confirmed', stage: 'publish' },
    reject: { trigger: 'plan_rejected', stage: 'publish' },
    instruct: { trigger: 'guidance_given', stage: 'implement' },
  },
} as const satisfies Record<Gate['kind'], Record<DecisionAction, { trigger: IssueTrigger; stage: Stage }>>;

/** How the audit log names the gates. */
const auditedGate = { plan: 'plan', publish: 'publication' } as const satisfies Record<Gate['kind'], string>;

export interface DecideGateContext
  extends CompareBaseContext,
    CountApprovalsContext,
    Omit<KeepCommandsContext, 'members'> {
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  readonly clock: Clock;
}

interface DecisionRequest {
  readonly decision: Decision;
  readonly by: Initiator;
  /** The name of the client that they use, for the record. */
  readonly client?: string | null;
  readonly signal: AbortSignal;
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
        await dropApprovals(context, issue, { gate, by, user_ids, reason: 'base_moved' });
      }
      throw error;
    });
  }
  return await dropLapsed(context, issue, approving);
}

interface Deciding {
  readonly request: DecisionRequest;
  /** Null for a decision that one person may make alone. */
  readonly policy: ApprovalPolicy | null;
  /** The approvals, with this one. */
  readonly approvals: readonly Approval[];
}

/** The decision that ends the gate. */
function decidingChange(issue: Issue, gate: Gate, { request, policy, approvals }: Deciding): IssueChange {
  const { decision, by } = request;
  const { trigger, stage } = outcomes[gate.kind][decision.action];
  const about = decidedOn(issue, gate, request);
  const earlier = gate.approvals.map(({ user_id }) => user_id as UserId);
  const isCounted = policy !== null && policy.approvals > 1;
  const decided: NewEvent = {
    type: 'review.decided',
    data: {
      revision: gate.revision,
      action: decision.action,
      guidance: guidanceOf(decision),
      user_id: by.userId,
      ...about,
      ...(isCounted && { approvals: [...approvals] }),
    },
  };
  return {
    issueId: issue.id,
    from: sameGate(issue, gate, isCounted),
    trigger: issue.holdsSlot ? trigger : triggerWithoutSlot(issue, gate, trigger),
    ...(policy !== null && { approval: { repoId: issue.repoId, gate: gate.kind, policy, users: earlier } }),
    set: {
      stage,
      gate: null,
      pipeline:
        gate.kind === 'plan'
          ? planDecided(issue, gate, decision)
          : publicationDecided(issue, guidanceOf(decision), decision.action),
    },
    events: [decided],
    audit: auditOf(issue, gate, { request, ...(isCounted && { policy, approvals }) }),
  };
}

/** An approval that is not the last one. */
function addingChange(
  issue: Issue,
  gate: Gate,
  { request, policy, approvals }: Deciding & { readonly policy: ApprovalPolicy },
): IssueChange {
  const { revision } = gate;
  const { approvals: approvals_needed, requesterApproves: requester_approves } = policy;
  return {
    issueId: issue.id,
    from: sameGate(issue, gate, true),
    trigger: 'approval_added',
    set: { gate: { ...gate, approvals: [...approvals], approvals_needed, requester_approves } },
    events: [
      {
        type: 'review.approved',
        data: {
          revision,
          user_id: request.by.userId,
          approvals: approvals.length,
          approvals_needed,
          ...decidedOn(issue, gate, request),
        },
      },
    ],
    audit: auditOf(issue, gate, { request, policy, approvals }),
  };
}

/** What the decision was about, and from where it came. */
function decidedOn({ pipeline }: Issue, gate: Gate, { decision, client }: DecisionRequest) {
  return {
    ...(isBlind(decision) && { blind: true as const }),
    plan_hash: gate.plan_hash ?? pipeline.approved?.plan_hash ?? null,
    base_commit: gate.base_commit,
    head_commit: gate.head_commit,
    client: client ?? null,
  };
}

function auditOf(
  issue: Issue,
  gate: Gate,
  { request, policy, approvals }: Pick<Deciding, 'request'> & Partial<Deciding>,
): NewAuditEntry {
  const { decision, by } = request;
  const detail = {
    action: decision.action,
    on: auditedGate[gate.kind],
    revision: gate.revision,
    ...decidedOn(issue, gate, request),
    ...(policy && approvals && { approvals: approvals.length, approvals_needed: policy.approvals }),
  };
  return auditEntry(by, { action: 'issue.decided', subjectId: issue.id, detail }, neededOnIssue('decide', issue, by));
}

/** It names neither the plan nor the commit, so it holds for whatever waited at that moment. */
function isBlind({ revision, headCommit }: Seen): boolean {
  return revision === undefined && headCommit === undefined;
}

/** An issue whose slot was freed at the gate cannot continue at once: it is queued again, ahead of new issues. */
function triggerWithoutSlot({ status }: Issue, { kind }: Gate, trigger: IssueTrigger): IssueTrigger {
  const next = nextStatus(status, trigger);
  if (next === null || !needsSlot(next)) return trigger;
  return kind === 'plan' ? 'plan_decided_without_slot' : 'publication_decided_without_slot';
}

/**
 * A plan gate is identified by its revision. One plan can lead to several publish gates, so there `lastSeq` must match, and so it
 * must where approvals are counted: each has to know those before it.
 */
function sameGate({ status, lastSeq }: Issue, { kind, revision }: Gate, isCounted: boolean): IssueChange['from'] {
  const isExact = kind === 'publish' || isCounted;
  return { status, planRevision: revision, ...(isExact && { lastSeq }) };
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
      detail: `You saw revision ${seen.revision} of the plan; the current one is ${revision}. Read it and decide again.`,
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

function planDecided(
  { pipeline }: Issue,
  { revision, plan_hash, base_commit }: Gate,
  decision: Decision,
): PipelineState {
  return {
    ...pipeline,
    planning: { ...pipeline.planning, guidance: guidanceOf(decision) },
    approved: decision.action === 'approve' ? { revision, plan_hash, base_commit } : null,
  };
}

function guidanceOf(decision: Decision): string | null {
  return decision.action === 'instruct' ? decision.guidance : null;
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
