import type { Review } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { aDiff, anIssue, aPlanFor } from '../../test/loop/memory-context.ts';
import { enforceFindings, reviewer } from './reviewer.ts';

const marker = 'a.js:3 is a conflict marker.';
const approval: Review = { decision: 'approve', summary: 'All is well.', findings: [] };

it('turns an approval despite a finding that must be fixed into a request for changes', () => {
  const enforced = enforceFindings(approval, { mustFix: [marker], toJudge: [], toConfirm: [] });
  expect(enforced).toEqual({
    decision: 'request_changes',
    summary:
      'The reviewer approved, but the service found problems that must be fixed first. The reviewer: All is well.',
    findings: [marker],
  });
});

it('leaves the rest to the reviewer', () => {
  expect(enforceFindings(approval, { mustFix: [], toJudge: ['b.js is changed.'], toConfirm: [] })).toEqual(approval);
});

it('adds what the reviewer left out of its request, once', () => {
  const review: Review = { decision: 'request_changes', summary: 'Not yet.', findings: ['Mend b.', marker] };
  const enforced = enforceFindings(review, {
    mustFix: [marker, 'c.js:1 looks like a GitHub token.'],
    toJudge: [],
    toConfirm: [],
  });
  expect(enforced).toEqual({ ...review, findings: ['c.js:1 looks like a GitHub token.', 'Mend b.', marker] });
});

it('takes secrets out of what the reviewer says', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const review: Review = {
    decision: 'request_changes',
    summary: `Found ${token} twice: ${token}.`,
    findings: [token],
  };
  const enforced = enforceFindings(review, { mustFix: [], toJudge: [], toConfirm: [] });
  expect(enforced.summary).toBe('Found [a GitHub token] twice: [a GitHub token].');
  expect(enforced.findings).toEqual(['[a GitHub token]']);
});

const input = {
  issue: anIssue().issue,
  plan: aPlanFor(['a.js']),
  diff: aDiff('', ['a.js']),
  tests: null,
  outsidePlan: [],
  findings: [],
};
const files = { list: async () => [], ignored: async () => [] };
const lacks = async (review: Review) => {
  const work = { input, calls: [], isRetry: false, hasChange: async () => true, files };
  return (await reviewer.objections?.(review, work))?.map(({ opening }) => opening);
};

it('asks about an approval that lists what must be fixed', async () => {
  expect(await lacks({ ...approval, findings: ['a.js breaks all callers.'] })).toEqual([
    'You approve, and list findings',
  ]);
  expect(await lacks({ ...approval, decision: 'request_changes', findings: ['a.js breaks all callers.'] })).toEqual([]);
  expect(await lacks(approval)).toEqual([]);
});

it.each([
  'I was not able to review the diff.',
  "I can't help with this request.",
  'I have not read the change, but the plan is good.',
])('takes no approval for one that says: %s', async (summary) => {
  expect(await lacks({ ...approval, summary })).toEqual(['You approve, and say that you did not review']);
  const finish = () => reviewer.finish?.({ ...approval, summary }, { input, calls: [] });
  expect(finish).toThrow(expect.objectContaining({ code: 'agent_blocked' }));
});

it.each(['I could not find any other caller.', 'I did not run the tests: the service did.'])(
  'takes an approval that says: %s',
  async (summary) => {
    expect(await lacks({ ...approval, summary })).toEqual([]);
  },
);
