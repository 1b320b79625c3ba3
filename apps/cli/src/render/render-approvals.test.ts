import { aGate } from '@sluice/testing';
import { expect, it } from 'vitest';
import { renderApprovals, renderMissing, whyNotToApprove } from './render-approvals.ts';

const ada = { user_id: '0198a1b2-0000-7000-8000-000000000001', at: '2026-11-20T09:15:00.000Z' };
const gate = { ...aGate({ approvals: [ada], approvals_needed: 2 }), your_approval: 'counts', estimate: null } as const;

it('says how many people have approved, where more than one has to', () => {
  expect(renderApprovals(gate)).toBe('1 of 2');
  expect(renderApprovals({ ...gate, approvals_needed: 1 })).toBeNull();
  expect(renderMissing(gate)).toBe('1 of 2 approvals. Another person has to approve it too.');
});

it('says why an approval by the user would be refused', () => {
  expect(whyNotToApprove(gate)).toBeNull();
  expect(whyNotToApprove({ ...gate, your_approval: 'requester_may_not_approve' })).toContain('somebody else');
});
