import { expect, it } from 'vitest';
import { renderUncounted, testFacts } from './test-facts.ts';
import { testReportSchema } from './test-report.ts';

const early = { command: 'make', verdict: 'green', exit_code: 0, duration_ms: 1, base_exit_code: 0, new_failures: [] };
const facts = (more: object) => testFacts(testReportSchema.parse({ ...early, ...more }));

it('says nothing more about a report of an early version, or about one without anything to say', () => {
  expect(facts({})).toEqual([]);
  const empty = { counts: null, failed_before: [], must_pass: [], flaky: [], not_run: [], reproduction: null };
  expect(facts({ ...empty, base_counts: null, base_tests: null })).toEqual([]);
});

it('says each thing in a sentence', () => {
  const counts = { passed: 2, failed: 1, skipped: 0 };
  expect(
    facts({
      counts,
      base_counts: { ...counts, failed: 3 },
      failed_before: ['old'],
      must_pass: ['a'],
      flaky: [{ name: 'waits', failed: 1, runs: 3 }],
      not_run: ['gone'],
      base_tests: { exit_code: 1, failed: ['b'] },
      reproduction: { outcome: 'reproduced', detail: 'Fail without the change: c.' },
    }),
  ).toEqual([
    '2 passed, 1 failed, 0 skipped; at the base: 2 passed, 3 failed, 0 skipped.',
    'Failed before the change and still fail: old.',
    'To be fixed by this issue: a.',
    'Flaky, failing in some runs of the same commit only: waits (failed in 1 of 3 runs).',
    'Ran at the base and did not run with the change: gone.',
    'With the changed tests as they were at the base, these fail: b. The change may be meant to alter that.',
    'A test that fails without the change: yes. Fail without the change: c.',
  ]);
});

it.each([
  [{ exit_code: 0, failed: [] }, 'all tests pass too.'],
  [{ exit_code: 2, failed: [] }, 'the tests fail with exit code 2.'],
  [{ exit_code: null, failed: [] }, 'a limit ended the tests.'],
])('says how a run with the tests of the base ended: %j', (base_tests, end) => {
  expect(facts({ base_tests })).toEqual([`With the changed tests as they were at the base, ${end}`]);
});

it('names twenty tests and counts the others', () => {
  const names = Array.from({ length: 22 }, (_, at) => `t${at}`);
  expect(facts({ not_run: names })[0]).toMatch(/: t0, .*, t19 and 2 more\.$/);
});

it('says that the output tells of failures where the exit code is 0, unless it did at the base too', () => {
  const failed = (failed: number) => ({ passed: 1, failed, skipped: 0 });
  const told = (more: object) => renderUncounted(testReportSchema.parse({ ...early, ...more }));
  expect(told({ counts: failed(2), base_counts: null })).toEqual([
    'The test command ended with exit code 0, but its output tells of 2 failed tests.',
  ]);
  expect(told({ counts: failed(1), base_counts: failed(1), base_exit_code: 1 })).toHaveLength(1);
  expect(told({ counts: failed(1), base_counts: failed(1) })).toEqual([]);
  expect(told({ counts: failed(0), base_counts: null })).toEqual([]);
  expect(told({ exit_code: 1, counts: failed(2), base_counts: null })).toEqual([]);
});
