import type { GateWire } from '@sluice/core/issue';

/** How many people have approved, where more than one has to: `1 of 2`; else null. */
export function renderApprovals({ approvals = [], approvals_needed = 1 }: GateWire): string | null {
  return approvals_needed > 1 ? `${approvals.length} of ${approvals_needed}` : null;
}

const reasons = {
  requester_may_not_approve: 'You created this issue: somebody else has to approve it.',
  already_approved: 'You have approved: another person has to approve it too.',
  role_insufficient: 'Your role in the repository does not let you decide.',
} as const;

/** Why an approval by the user would be refused; null where it counts, and where the server does not tell. */
export function whyNotToApprove({ your_approval: standing = null }: GateWire): string | null {
  return standing === null || standing === 'counts' ? null : reasons[standing];
}

/** After an approval that was not the last one. */
export function renderMissing(gate: GateWire): string {
  const approvals = renderApprovals(gate);
  return `${approvals === null ? 'Approved' : `${approvals} approvals`}. Another person has to approve it too.`;
}
