import type { Gate } from '@sluice/client';

// Servers of the release before do not send what approving takes.
type Counted = Partial<Pick<Gate, 'approvals' | 'approvals_needed' | 'your_approval'>>;

/** How many approvals a gate still needs. */
export function approvalsMissing({ approvals = [], approvals_needed = 1 }: Counted): number {
  return Math.max(0, approvals_needed - approvals.length);
}

/** `1 of 2 approvals: Ada`; null where one person decides. @param nameOf how a user is called */
export function approvalProgress(
  { approvals = [], approvals_needed = 1 }: Counted,
  nameOf: (userId: string) => string,
): string | null {
  if (approvals_needed < 2) return null;
  const people = approvals.map(({ user_id: userId }) => nameOf(userId)).join(', ');
  return `${approvals.length} of ${approvals_needed} approvals${people === '' ? '' : `: ${people}`}`;
}

const reasons = {
  requester_may_not_approve:
    'You created this issue: somebody else has to approve it. You can still instruct or reject.',
  already_approved: 'You have approved: another person has to approve it too.',
  role_insufficient: 'Your role in the repository does not let you approve.',
} as const;

/** Why an approval by the user would be refused; null where it counts. */
export function whyNotToApprove({ your_approval: standing }: Counted): string | null {
  return standing == null || standing === 'counts' ? null : reasons[standing];
}
