import type { Reproduction, TestReport, TestRun } from '@sluice/core/pipeline';
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
  /** What fails at the head with the tests of the base. */
  readonly rewritten?: string[];
  /** Whether the tests of the head are counted. */
  readonly counted?: boolean;
}

const green = run(0);
const red = (...failing: string[]) => run(1, failing);
const outcomes: [string, Case, Reproduction['outcome'], string?][] = [
  // A test was added.
  ['a new test fails', { run: red('new') }, 'reproduced', 'Fail without the change: new.'],
  ['two new tests fail', { run: red('a', 'b') }, 'reproduced', 'Fail without the change: a, b.'],
  ['a new test passes', { run: green }, 'not_reproduced', 'The changed tests pass without the change too.'],
  ['one of two new tests fails', { run: red('a') }, 'reproduced'],
  [
    'a new file cannot be loaded, as it imports what the fix adds',
    { run: run(1, ['test/new.test.js'], { broken: ['test/new.test.js'] }) },
    'unknown',
    'Cannot be loaded or built without the change: test/new.test.js.',
  ],
  ['a new test does not compile', { run: run(1, ['compilation error'], { broken: ['compilation error'] }) }, 'unknown'],
  [
    'a test fails beside a file that cannot be loaded',
    { run: run(1, ['a', 'b.py'], { broken: ['b.py'] }) },
    'reproduced',
  ],
  ['a new case of a table fails', { run: red('a.py::test_sum[1-2]') }, 'reproduced'],
  ['another exit code', { run: run(101, ['tests::new']) }, 'reproduced'],
  // A test was changed.
  ['a changed test fails under its old name', { run: red('adds') }, 'reproduced'],
  ['a changed test that failed before fails still', { run: red('adds'), base: red('adds') }, 'not_reproduced'],
  [
    'a test that was rewritten fails in its new form too',
    { run: red('adds'), base: red('adds'), rewritten: ['adds'] },
    'reproduced',
    'Fail without the change: adds.',
  ],
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
  [
    'no name and no number, where the runner counts its tests: a compiler ended them',
    { run: run(2), base: green, counted: true },
    'unknown',
    'Without the change the tests end before any of them fails.',
  ],
  ['no name, and no test failed', { run: run(2, [], { counts: { passed: 3, failed: 0, skipped: 0 } }) }, 'unknown'],
  ['no name, and a test failed', { run: run(1, [], { counts: { passed: 3, failed: 1, skipped: 0 } }) }, 'reproduced'],
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
  const { failedBefore = [], base = green, reason = null, rewritten = [], counted = false } = judged;
  const report = {
    verdict: 'green',
    counts: counted ? { passed: 4, failed: 0, skipped: 0 } : null,
    failed_before: failedBefore,
    base_tests: { exit_code: 1, failed: rewritten },
  } as unknown as TestReport;
  const found = judgeReproduction({ run: judged.run, report, base, reason });
  expect(found.outcome).toBe(outcome);
  if (detail !== undefined) expect(found.detail).toBe(detail);
});

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });
const was = { ...red('a', 'b'), counts: counts(1, 2) };
const PASS = 'Failed at the base and pass now: a, b.';

it.each<
  [string, { base: TestRun; proof: TestRun | null; flaky?: TestReport['flaky']; edited?: string[] }, string | null]
>([
  [
    'passes by name',
    { base: red('a', 'f.js > b'), proof: run(0, [], { passing: ['a', 'b', 'c'] }) },
    'Failed at the base and pass now: a, f.js > b.',
  ],
  [
    'does not run by name',
    { base: red('a', 'b'), proof: run(0, [], { passing: ['a'] }) },
    'Failed at the base and pass now: a.',
  ],
  ['is one of as many more that pass', { base: was, proof: run(0, [], { counts: counts(3) }) }, PASS],
  ['is one of fewer more that pass', { base: was, proof: run(0, [], { counts: counts(2) }) }, null],
  ['may be skipped', { base: was, proof: run(0, [], { counts: counts(3, 0, 1) }) }, null],
  ['fails still', { base: was, proof: run(1, ['a', 'b'], { counts: counts(1, 2) }) }, null],
  ['is not counted, and all tests pass', { base: red('a', 'b'), proof: green }, PASS],
  ['is not counted, and others fail', { base: red('a', 'b'), proof: red('old') }, null],
  ['was not run in the form that it has at the base', { base: red('a', 'b'), proof: null }, null],
  ['was flaky at the base', { base: { ...red('a'), flaky: ['a'] }, proof: green }, null],
  ['is flaky with the change', { base: red('a'), proof: green, flaky: [{ name: 'a', failed: 1, runs: 2 }] }, null],
  ['is edited where it cannot be run as it was', { base: red('tests::a'), proof: green, edited: ['a'] }, null],
  ['has no name, and all tests pass', { base: run(1), proof: green }, 'The tests failed at the base and pass now.'],
  ['has no name, and fails still', { base: run(1), proof: run(1) }, null],
  [
    'is no test but a file, and all tests pass',
    { base: run(2, ['t.py'], { broken: ['t.py'] }), proof: green },
    'The tests failed at the base and pass now.',
  ],
  [
    'is no test but a file, and a test fails',
    { base: run(2, ['t.py'], { broken: ['t.py'] }), proof: red('t.py::a') },
    null,
  ],
  ['never was', { base: green, proof: green }, null],
])(
  'takes a failure at the base for fixed by what became of it: one that %s',
  (...[, { base, proof, flaky = [], edited = [] }, detail]) => {
    expect(fixedAtBase({ report: { flaky }, base, proof, edited })?.detail ?? null).toBe(detail);
  },
);
