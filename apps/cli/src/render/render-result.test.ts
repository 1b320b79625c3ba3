import type { IssueWire } from '@sluice/core/issue';
import type { TestReport } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderResult } from './render-result.ts';

const tests: TestReport = {
  command: 'npm test',
  verdict: 'green',
  exit_code: 0,
  duration_ms: 900,
  base_exit_code: 1,
  new_failures: [],
};
const result = {
  branch: 'sluice/019aa-fix',
  base_commit: 'a'.repeat(40),
  head_commit: 'b'.repeat(40),
  findings: [],
  answer: null,
  change_request_url: null,
  summary: 'The discount is a percentage.',
  files_changed: 1,
  additions: 2,
  deletions: 1,
  tests,
};

function ended(fields: Partial<IssueWire>, width = Number.POSITIVE_INFINITY): string {
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  return renderResult(
    { status: 'completed', result, error: null, usage, ...fields } as IssueWire,
    withoutColour,
    width,
  );
}

it('shows the summary, the branch, the change and the tests', () => {
  expect(ended({})).toBe(`Done. The discount is a percentage.
Branch   sluice/019aa-fix  aaaaaaaaaa..bbbbbbbbbb
Change   1 file, +2 -1
Tests    npm test: failed at the base, passed at the head`);
});

it('shows under the tests what else is known of them', () => {
  const flaky = [{ name: 'waits', failed: 1, runs: 2 }];
  const counts = { passed: 3, failed: 0, skipped: 1 };
  expect(ended({ result: { ...result, tests: { ...tests, counts, flaky } } })).toContain(
    `passed at the head
         3 passed, 0 failed, 1 skipped.
         Flaky, failing in some runs of the same commit only: waits (failed in 1 of 2 runs).`,
  );
});

it('breaks its lines between words, except where they are to be copied', () => {
  expect(
    ended({ result: { ...result, summary: 'The discount is a percentage now.' } }, 30),
  ).toBe(`Done. The discount is a
percentage now.
Branch   sluice/019aa-fix  aaaaaaaaaa..bbbbbbbbbb
Change   1 file, +2 -1
Tests    npm test: failed at
         the base, passed at
         the head`);
});

it('shows the answer to a question', () => {
  const answer = 'In `src/sum.js`.\nIt begins at 0.\x1b[2J';
  expect(ended({ result: { ...result, branch: null, summary: 'Where sum begins.', answer } })).toBe(
    'Answered. Where sum begins.\n\nIn `src/sum.js`.\nIt begins at 0.␛[2J\n',
  );
});

it('shows what the service found in the change', () => {
  const findings = [{ kind: 'test_skipped', path: 'sum.test.js', line: 3, detail: 'The test is skipped.' } as const];
  expect(ended({ result: { ...result, findings } })).toContain(`
The service found in the change
   - \`sum.test.js:3\`: The test is skipped.`);
});

it.each<[Partial<TestReport> | null, string]>([
  [{ base_exit_code: 0 }, 'npm test: passed at the base, passed at the head'],
  [{ base_exit_code: null }, 'npm test: did not finish at the base, passed at the head'],
  [{ verdict: 'red_as_before' }, 'npm test: failed at the base, failed the same way at the head'],
  [{ verdict: 'red' }, 'npm test: failed at the base, failed at the head'],
  [null, 'none found, so nothing was tested'],
])('never makes tests look better than they were: %j', (report, line) => {
  const given = report === null ? null : { ...tests, ...report };
  expect(ended({ result: { ...result, files_changed: 2, tests: given } })).toContain(
    `2 files, +2 -1\nTests    ${line}`,
  );
});

it('shows how an issue without a result ended, and why', () => {
  expect(ended({ status: 'rejected', result: null })).toBe('Ended as rejected');
  expect(ended({ status: 'failed', result: null, error: { stage: 'test', detail: 'The tests\x1b[2J fail.' } })).toBe(
    'Ended as failed: The tests␛[2J fail.',
  );
});

it('shows the tokens also of a failed issue, and invents no cost', () => {
  const usage = { input_tokens: 1_234_567, output_tokens: 890, cost_usd: 3.712 };
  expect(ended({ usage })).toMatch(/\nModels {3}1,234,567 tokens in, 890 out, 3\.71 USD$/);
  expect(ended({ usage: { ...usage, cost_usd: 0.0022 } })).toContain(', 0.0022 USD');
  expect(ended({ status: 'failed', result: null, usage: { ...usage, cost_usd: null } })).toBe(
    'Ended as failed\nModels   1,234,567 tokens in, 890 out, cost unknown',
  );
});
