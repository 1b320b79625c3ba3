import { expect, it } from 'vitest';
import { approvalProgress, approvalsMissing, whyNotToApprove } from './approval-words.ts';

const ada = { user_id: 'ada', at: '2026-11-20T09:15:00.000Z' };
const nameOf = (userId: string) => userId.toUpperCase();

it('says who has approved, where more than one person has to', () => {
  expect(approvalProgress({ approvals: [ada], approvals_needed: 2 }, nameOf)).toBe('1 of 2 approvals: ADA');
  expect(approvalProgress({ approvals: [], approvals_needed: 2 }, nameOf)).toBe('0 of 2 approvals');
  expect(approvalProgress({ approvals: [], approvals_needed: 1 }, nameOf)).toBeNull();
});

it('counts the approvals that are missing, also those of a server that does not tell', () => {
  expect(approvalsMissing({ approvals: [ada], approvals_needed: 2 })).toBe(1);
  expect(approvalsMissing({})).toBe(1);
});

it('says why the user cannot approve, and nothing where they can', () => {
  expect(whyNotToApprove({ your_approval: 'requester_may_not_approve' })).toContain('somebody else');
  expect(whyNotToApprove({ your_approval: 'already_approved' })).toContain('another person');
  expect(whyNotToApprove({ your_approval: 'counts' })).toBeNull();
  expect(whyNotToApprove({})).toBeNull();
});
