import type { Review } from '@sluice/core';
import { expect, it } from 'vitest';
import { enforceFindings } from '../roles/reviewer.ts';

const marker = 'a.js:3 is a conflict marker.';
const approval: Review = { decision: 'approve', summary: 'All is well.', findings: [] };

it('turns an approval despite a finding that must be fixed into a request for changes', () => {
  const enforced = enforceFindings(approval, { mustFix: [marker], toJudge: [] });
  expect(enforced).toEqual({
    decision: 'request_changes',
    summary:
      'The reviewer approved, but the service found problems that must be fixed first. The reviewer: All is well.',
    findings: [marker],
  });
});

it('leaves the rest to the reviewer', () => {
  expect(enforceFindings(approval, { mustFix: [], toJudge: ['b.js is changed.'] })).toEqual(approval);
});

it('adds what the reviewer left out of its request, once', () => {
  const review: Review = { decision: 'request_changes', summary: 'Not yet.', findings: ['Mend b.', marker] };
  const enforced = enforceFindings(review, { mustFix: [marker, 'c.js:1 looks like a GitHub token.'], toJudge: [] });
  expect(enforced).toEqual({ ...review, findings: ['c.js:1 looks like a GitHub token.', 'Mend b.', marker] });
});

it('takes secrets out of what the reviewer says', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const review: Review = {
    decision: 'request_changes',
    summary: `Found ${token} twice: ${token}.`,
    findings: [token],
  };
  const enforced = enforceFindings(review, { mustFix: [], toJudge: [] });
  expect(enforced.summary).toBe('Found [a GitHub token] twice: [a GitHub token].');
  expect(enforced.findings).toEqual(['[a GitHub token]']);
});
