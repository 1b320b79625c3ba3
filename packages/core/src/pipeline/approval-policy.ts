import type { UserId } from '../id/id.ts';
import type { Gate } from './gate.ts';

/** What approving at a gate takes. */
export interface ApprovalPolicy {
  /** Whether the user who created the issue may be one of the approvers. */
  readonly requesterApproves: boolean;
  /** How many different people have to approve. */
  readonly approvals: number;
}

/** The policy of each gate. */
export type ApprovalRules = Readonly<Record<Gate['kind'], ApprovalPolicy>>;

/** The least that an approval takes: any one approver. */
export const ANY_APPROVER: ApprovalPolicy = { requesterApproves: true, approvals: 1 };

function stricter(one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy {
  return {
    requesterApproves: one.requesterApproves && other.requesterApproves,
    approvals: Math.max(one.approvals, other.approvals),
  };
}

export function isStricter(one: ApprovalPolicy, than: ApprovalPolicy): boolean {
  return one.approvals > than.approvals || (than.requesterApproves && !one.requesterApproves);
}

/** The settings of a repository that say so. */
interface ApprovalSettings {
  readonly requester_approves: boolean;
  readonly plan_approvals: number;
  readonly publish_approvals: number;
}

/** The rules of a repository. @param minimum of the installation, for all repositories */
export function approvalRules(
  { requester_approves: requesterApproves, plan_approvals, publish_approvals }: ApprovalSettings,
  minimum: ApprovalPolicy,
): ApprovalRules {
  return {
    plan: stricter({ requesterApproves, approvals: plan_approvals }, minimum),
    publish: stricter({ requesterApproves, approvals: publish_approvals }, minimum),
  };
}

/**
 * The policy of an open gate: the stricter of the one that it was opened with and the one that counts now. Rules that are relaxed
 * while a gate waits do not relax that gate; stricter ones count at once.
 */
export function policyAtGate(gate: Gate, rules: ApprovalRules): ApprovalPolicy {
  const opened = { requesterApproves: gate.requester_approves, approvals: gate.approvals_needed };
  return stricter(opened, rules[gate.kind]);
}

/** The policy as a gate records it, without approvals so far. */
export function gateApprovals(
  policy: ApprovalPolicy,
): Pick<Gate, 'approvals' | 'approvals_needed' | 'requester_approves'> {
  return { approvals: [], approvals_needed: policy.approvals, requester_approves: policy.requesterApproves };
}

/** The standing of a user's approval at a gate: counted, or refused with the error code of this name. */
export const approvalStandings = [
  'counts',
  'role_insufficient',
  'requester_may_not_approve',
  'already_approved',
] as const;
export type ApprovalStanding = (typeof approvalStandings)[number];

/** The standing of somebody whose role lets them decide. */
export function approvalStanding(
  userId: UserId,
  { gate, policy, requesterId }: { readonly gate: Gate; readonly policy: ApprovalPolicy; readonly requesterId: UserId },
): Exclude<ApprovalStanding, 'role_insufficient'> {
  if (userId === requesterId && !policy.requesterApproves) return 'requester_may_not_approve';
  return gate.approvals.some(({ user_id }) => user_id === userId) ? 'already_approved' : 'counts';
}
