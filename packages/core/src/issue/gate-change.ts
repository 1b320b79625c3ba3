import { neededOnIssue } from '../access/role-needed.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { AttachmentId, UserId } from '../id/id.ts';
import type { ApprovalPolicy } from '../pipeline/approval-policy.ts';
import type { Approval, DecisionAction, Gate } from '../pipeline/gate.ts';
import { nextImplementRound, type PipelineState } from '../pipeline/pipeline-state.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { EventData, NewEvent } from './event-catalog.ts';
import type { Issue } from './issue.ts';
import { type IssueTrigger, needsSlot, nextStatus } from './issue-machine.ts';
import type { IssueChange } from './issue-store.ts';

/** The question that the approver saw. */
interface Seen {
  readonly revision?: number | undefined;
  /** The commit to publish, as the approver saw it. Required to approve at the publish gate. */
  readonly headCommit?: string | undefined;
}

export type Decision =
  | (Seen & { readonly action: 'approve' | 'reject' })
  | (Seen & {
      readonly action: 'instruct';
      readonly guidance: string;
      /** Unused attachments of the user. */
      readonly attachments?: readonly AttachmentId[] | undefined;
    });

export interface DecisionRequest {
  readonly decision: Decision;
  readonly by: Initiator;
  /** The name of the client that they use, for the record. */
  readonly client?: string | null;
  readonly signal: AbortSignal;
}

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

/** A decision, and the approvals that it rests on. */
interface Deciding {
  readonly request: DecisionRequest;
  /** Null for a decision that one person may make alone. */
  readonly policy: ApprovalPolicy | null;
  /** The approvals, with this one. */
  readonly approvals: readonly Approval[];
}

/** The write of a decision that ends the gate. */
export function decidingChange(issue: Issue, gate: Gate, { request, policy, approvals }: Deciding): IssueChange {
  const { decision, by } = request;
  const { trigger, stage } = outcomes[gate.kind][decision.action];
  const attached = decision.action === 'instruct' ? (decision.attachments ?? []) : [];
  const about = decidedOn(issue, gate, request);
  const earlier = gate.approvals.map(({ user_id }) => user_id as UserId);
  const isCounted = policy !== null && policy.approvals > 1;
  const decided: NewEvent = {
    type: 'review.decided',
    data: {
      revision: gate.revision,
      action: decision.action,
      guidance: guidanceOf(decision),
      ...(attached.length > 0 && { attachments: [...attached] }),
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
    ...(attached.length > 0 && { attach: { by: by.userId, ids: attached } }),
    events: [decided],
    audit: auditOf(issue, gate, { request, ...(isCounted && { policy, approvals }) }),
  };
}

/** The write of an approval that is not the last one. */
export function addingChange(
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

/** The approvals that no longer count, by who gave them, and why. */
type Dropped = Pick<EventData<'review.approvals_dropped'>, 'user_ids' | 'reason'>;

/** The write that drops earlier approvals. It takes effect only while the issue is as it was read. */
export function droppingChange(
  issue: Issue,
  gate: Gate,
  { by, ...dropped }: Dropped & { readonly by: Initiator },
): IssueChange {
  const { user_ids } = dropped;
  const { revision } = gate;
  const approvals = gate.approvals.filter(({ user_id }) => !user_ids.includes(user_id));
  return {
    issueId: issue.id,
    from: { status: issue.status, planRevision: revision, lastSeq: issue.lastSeq },
    trigger: 'approvals_dropped',
    set: { gate: { ...gate, approvals } },
    events: [{ type: 'review.approvals_dropped', data: { revision, ...dropped } }],
    audit: auditEntry(
      by,
      { action: 'issue.approvals_dropped', subjectId: issue.id, detail: { revision, user_ids } },
      neededOnIssue('decide', issue, by),
    ),
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

/** Whether the decision names neither the plan nor the commit, so that it holds for whatever waited at that moment. */
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

/**
 * The pipeline's state after a decision at the publish gate. An approval holds for its commit only. Guidance leads back
 * to the coder, who continues from that commit; it is not the coder's failure, so the bounds on send-backs start again.
 * Every stage that the pipeline reaches again gets a new round.
 */
export function publicationDecided(
  { pipeline, gate }: { readonly pipeline: PipelineState; readonly gate: Gate | null },
  guidance: string | null,
  action: DecisionAction,
): PipelineState {
  if (action === 'reject') return pipeline;
  const { rounds } = pipeline;
  const past = { ...rounds.past, publish: (rounds.past.publish ?? 0) + 1 };
  if (action === 'approve') {
    const head_commit = gate?.head_commit ?? '';
    const { asked = [], change_request = null } = pipeline.publication ?? {};
    const confirmed = { head_commit, files: asked };
    return {
      ...pipeline,
      rounds: { ...rounds, past },
      publication: { head_commit, asked, change_request, confirmed },
    };
  }
  return {
    ...pipeline,
    rounds: {
      ...rounds,
      implement: nextImplementRound(rounds),
      past: { ...past, review: (past.review ?? 0) + rounds.review_send_backs + 1 },
      test_send_backs: 0,
      review_send_backs: 0,
    },
    feedback: `A person reviewed the change before publication and asks for this:\n${guidance ?? ''}`,
  };
}

function guidanceOf(decision: Decision): string | null {
  return decision.action === 'instruct' ? decision.guidance : null;
}
