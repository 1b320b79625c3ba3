import type { Gate, Plan } from '@sluice/client';
import { expect, it } from 'vitest';
import { approvalWords, rejectionWords } from './consequences.ts';

const gate = { kind: 'plan', revision: 2, blocker: null, head_commit: null } as Gate;
const issue = { gate, plan: {} as Plan, base_branch: 'main' };

it('says what an approval leads to', () => {
  expect(approvalWords(issue, 0)[0]).toBe(
    'The change is written as revision 2 plans it, on main, then tested and reviewed.',
  );
});

it('says first what speaks against it', () => {
  const words = approvalWords({ ...issue, gate: { ...gate, blocker: 'No model is configured.' } }, 2);
  expect(words.slice(0, 2)).toEqual([
    'If you approve this plan, the issue will fail: No model is configured.',
    'Your 2 remarks on it will not be sent, and will be removed.',
  ]);
});

it('names the commands that the repository gets', () => {
  const plan = { setup_command: 'npm ci', test_command: 'npm test' } as Plan;
  expect(approvalWords({ ...issue, plan }, 0)).toEqual(
    expect.arrayContaining([
      'The setup command of the plan is used: npm ci',
      'The test command of the plan is used: npm test',
    ]),
  );
});

it('names the commit that is published', () => {
  const publish = { ...gate, kind: 'publish', head_commit: 'c0ffee1234567890' } as Gate;
  expect(approvalWords({ ...issue, gate: publish }, 0)).toEqual([
    'Commit c0ffee1234 is pushed as a branch, with a pull request where there is a code host.',
  ]);
  expect(rejectionWords({ ...issue, gate: publish })[0]).toContain('not published');
});

it('says first that another approval is needed', () => {
  const first = { ...gate, approvals: [], approvals_needed: 2 };
  expect(approvalWords({ ...issue, gate: first }, 0)[0]).toContain('another person');
  const last = { ...first, approvals: [{ user_id: 'ada', at: '2026-11-20T09:15:00.000Z' }] };
  expect(approvalWords({ ...issue, gate: last }, 0)[0]).toContain('The change is written');
});
