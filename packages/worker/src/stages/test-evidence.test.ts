import type { Reproduction, TestReport, TestRun } from '@sluice/core';
import { expect, it } from 'vitest';
import { fixedAtBase, judgeReproduction } from './test-evidence.ts';

function run(exitCode: number | null, failing: string[] = [], changes: Partial<TestRun> = {}): TestRun {
  const ended = { command: 'npm test', duration_ms: 1, output_tail: '', ended_by: null };
  return { ...ended, exit_code: exitCode, failing, ...changes };
}

interface Case {
  /** The changed tests on the base. */
  readonly run: TestRun;
  readonly base?: TestRun | null;
  /** What still fails at the head, which passed as before. */
  readonly failedBefore?: string[];
  readonly reason?: string;
}

const green = run(0);
const red = (...failing: string[]) => run(1, failing);
const outcomes: [string, Case, Reproduction['outcome'], string?][] = [
  // A test was added.
  ['a new test fails', { run: red('new') }, 'reproduced', 'Fail without the change: new.'],
  ['two new tests fail', { run: red('a', 'b') }, 'reproduced', 'Fail without the change: a, b.'],
  ['a new test passes', { run: green }, 'not_reproduced', 'The changed tests pass without the change too.'],
  ['one of two new tests fails', { run: red('a') }, 'reproduced'],
  ['a new file cannot be loaded, as it imports what the fix adds', { run: red('test/new.test.js') }, 'reproduced'],
  ['a new test does not compile', { run: red('compilation error') }, 'reproduced'],
  ['a new case of a table fails', { run: red('a.py::test_sum[1-2]') }, 'reproduced'],
  ['another exit code', { run: run(101, ['tests::new']) }, 'reproduced'],
  // A test was changed.
  ['a changed test fails under its old name', { run: red('adds') }, 'reproduced'],
  ['a changed test that failed before fails still', { run: red('adds'), base: red('adds') }, 'not_reproduced'],
  ['a changed test fails beside an old failure', { run: red('adds', 'old'), base: red('old') }, 'reproduced'],
  ['only the old failure is there', { run: red('old'), base: red('old') }, 'not_reproduced'],
  [
    'only a failure that the head has too is there',
    { run: red('old'), base: red('old'), failedBefore: ['old'] },
    'not_reproduced',
  ],
  [
    'a failure of the base is gone, and nothing new fails',
    { run: red('old'), base: red('old', 'other') },
    'not_reproduced',
  ],
  ['the old failure is gone and a new one is there', { run: red('new'), base: red('old') }, 'reproduced'],
  ['a weakened test passes', { run: green, base: green }, 'not_reproduced'],
  ['a vacuous test passes', { run: green, base: red('old') }, 'not_reproduced'],
  ['all tests were skipped', { run: run(0, [], { counts: { passed: 0, failed: 0, skipped: 3 } }) }, 'not_reproduced'],
  ['a snapshot differs', { run: red('a.test.ts > renders') }, 'reproduced'],
  // Names are unknown.
  ['no name, and the base passed', { run: run(1), base: green }, 'reproduced', 'The tests fail without the change.'],
  ['no name, and the base was red', { run: run(1), base: run(1) }, 'unknown'],
  ['no name, and the base was not tested', { run: run(1), base: null }, 'unknown'],
  [
    'an output that was not read, and the base passed',
    { run: run(1, [], { unread: 'given_up' }), base: green },
    'reproduced',
  ],
  // The run has no result.
  ['time ended it', { run: run(null, [], { ended_by: 'timeout' }) }, 'unknown'],
  ['memory ended it', { run: run(null, ['a'], { ended_by: 'memory' }) }, 'unknown'],
  ['it ended from outside', { run: run(null) }, 'unknown'],
  ['its command cannot run', { run: run(127, [], { output_tail: 'sh: 1: vitest: not found' }) }, 'unknown'],
  // The coder gave a reason.
  [
    'a reason, and the tests pass',
    { run: green, reason: 'The coder says: a race.' },
    'not_reproduced',
    'The coder says: a race.',
  ],
  [
    'a reason, and only old failures',
    { run: red('old'), base: red('old'), reason: 'The coder says: x' },
    'not_reproduced',
    'The coder says: x',
  ],
  [
    'a reason, and a test fails all the same',
    { run: red('new'), reason: 'The coder says: x' },
    'reproduced',
    'Fail without the change: new.',
  ],
];

it.each(outcomes)('judges a run of the changed tests on the base: %s', (...[, judged, outcome, detail]) => {
  const { failedBefore = [], base = green, reason = null } = judged;
  const report = { verdict: 'green', failed_before: failedBefore } as unknown as TestReport;
  const found = judgeReproduction({ run: judged.run, report, base, reason });
  expect(found.outcome).toBe(outcome);
  if (detail !== undefined) expect(found.detail).toBe(detail);
});

it.each<[string, Partial<TestReport>, TestRun, string | null]>([
  ['is gone', {}, red('a', 'b'), 'Failed at the base and pass now: a, b.'],
  ['is there still', { failed_before: ['a', 'b'] }, red('a', 'b'), null],
  ['does not run any more', { not_run: ['a', 'b'] }, red('a', 'b'), null],
  ['was flaky', {}, { ...red('a'), flaky: ['a'] }, null],
  ['has no name, and all tests pass', {}, run(1), 'The tests failed at the base and pass now.'],
  ['never was', {}, green, null],
])('takes a failure at the base for fixed by what became of it: one that %s', (...[, report, base, detail]) => {
  const judged = { verdict: 'green', ...report } as unknown as TestReport;
  expect(fixedAtBase(judged, base)?.detail ?? null).toBe(detail);
});
