import { type TestReport, type TestRun, testReportSchema, testRunSchema } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { type JudgedRuns, judgeTests } from './test-verdict.ts';

function run(exitCode: number | null, failing: string[] = [], endedBy: TestRun['ended_by'] = null): TestRun {
  return testRunSchema.parse({
    command: 'npm test',
    exit_code: exitCode,
    duration_ms: 12,
    failing,
    output_tail: '',
    ended_by: endedBy,
  });
}

type Row = [string, { base: TestRun | null; head: TestRun; allowRedBase?: boolean }, TestReport['verdict'], string[]];

const allowed = { allowRedBase: true };
const rows: Row[] = [
  ['green on a green base', { base: run(0), head: run(0) }, 'green', []],
  ['green on a red base', { base: run(1, ['a']), head: run(0) }, 'green', []],
  ['green without a base', { base: null, head: run(0) }, 'green', []],
  ['green whatever names stand in its output', { base: run(0), head: run(0, ['a']) }, 'green', []],
  ['red on a green base', { base: run(0), head: run(1, ['a']) }, 'red', ['a']],
  ['red on a green base, though a red one is allowed', { base: run(0), head: run(1, ['a']), ...allowed }, 'red', ['a']],
  ['red as the base, not allowed', { base: run(1, ['a']), head: run(1, ['a']) }, 'red', []],
  ['red as the base, allowed', { base: run(1, ['a']), head: run(1, ['a']), ...allowed }, 'red_as_before', []],
  [
    'red with fewer failures, allowed',
    { base: run(1, ['a', 'b']), head: run(2, ['b']), ...allowed },
    'red_as_before',
    [],
  ],
  ['red with a new failure', { base: run(1, ['a']), head: run(1, ['a', 'b']), ...allowed }, 'red', ['b']],
  ['red with another failure instead', { base: run(1, ['a']), head: run(1, ['b']), ...allowed }, 'red', ['b']],
  [
    'red with the known failure in a file that was moved',
    { base: run(1, ['test/old.js > s > a']), head: run(1, ['test/new.js > s > a']), ...allowed },
    'red_as_before',
    [],
  ],
  [
    'red with the known failure in two files, of which one is new',
    { base: run(1, ['test/old.js > a']), head: run(1, ['test/old.js > a', 'test/new.js > a']), ...allowed },
    'red',
    ['test/new.js > a'],
  ],
  [
    'red in another file, where the known failure passes',
    { base: run(1, ['a.js > a']), head: { ...run(1, ['b.js > a']), passing: ['a.js > a'] }, ...allowed },
    'red',
    ['b.js > a'],
  ],
  ['red without names', { base: run(1, ['a']), head: run(1), ...allowed }, 'red', []],
  ['red without names on either side', { base: run(1), head: run(1), ...allowed }, 'red', []],
  ['red on a base without names', { base: run(1), head: run(1, ['a']), ...allowed }, 'red', ['a']],
  ['red on a base that names failures and passes', { base: run(0, ['a']), head: run(1, ['a']), ...allowed }, 'red', []],
  ['red without a base', { base: null, head: run(1, ['a']), ...allowed }, 'red', ['a']],
  ['ended by time', { base: run(1, ['a']), head: run(null, ['a'], 'timeout'), ...allowed }, 'red', []],
  ['ended by memory', { base: run(1, ['a']), head: run(null, ['a'], 'memory'), ...allowed }, 'red', []],
  ['ended by too much output', { base: run(1, ['a']), head: run(null, ['a'], 'output'), ...allowed }, 'red', []],
  ['ended by too much on disk', { base: run(1, ['a']), head: run(null, ['a'], 'disk'), ...allowed }, 'red', []],
  ['ended from outside without a reason', { base: run(1, ['a']), head: run(null, ['a']), ...allowed }, 'red', []],
  [
    'red on a base that a limit ended',
    { base: run(null, ['a'], 'timeout'), head: run(1, ['a']), ...allowed },
    'red',
    [],
  ],
  [
    'red with an output that was not read, whatever it names',
    { base: run(1, ['a']), head: { ...run(1, ['a']), unread: 'process_died' }, ...allowed },
    'red',
    [],
  ],
  [
    'red on a base whose output was not read',
    { base: { ...run(1, ['a']), unread: 'given_up' }, head: run(1, ['a']), ...allowed },
    'red',
    [],
  ],
  [
    'green on a base whose output was not read',
    { base: { ...run(1), unread: 'given_up' }, head: run(0), ...allowed },
    'green',
    [],
  ],
  [
    'red as the base, both read',
    { base: { ...run(1, ['a']), unread: null }, head: { ...run(1, ['a']), unread: null }, ...allowed },
    'red_as_before',
    [],
  ],
  ['red on a base that ended from outside', { base: run(null, ['a']), head: run(1, ['a']), ...allowed }, 'red', []],
];

function judged(runs: Partial<JudgedRuns> & Pick<JudgedRuns, 'heads'>): TestReport {
  return testReportSchema.parse(judgeTests({ base: null, allowRedBase: false, byModel: false, mustPass: [], ...runs }));
}

describe('the verdict on a head that is', () => {
  it.each(rows)('%s', (...[, { base, head, allowRedBase = false }, verdict, newFailures]) => {
    expect(judged({ base, heads: [head], allowRedBase })).toMatchObject({
      command: 'npm test',
      verdict,
      exit_code: head.exit_code,
      duration_ms: 12,
      base_exit_code: base?.exit_code ?? null,
      new_failures: newFailures,
    });
  });
});

const red = (...failing: string[]) => run(1, failing);
const byModel = { byModel: true };
const ranWith = (passed: number, ...failing: string[]): TestRun => ({
  ...red(...failing),
  counts: { passed, failed: failing.length, skipped: 0 },
});
const counted = (failed: number, ...failing: string[]): TestRun => ({
  ...red(...failing),
  counts: { passed: 1, failed, skipped: 0 },
});

describe('the verdict on a change that a model wrote', () => {
  it.each<[string, Partial<JudgedRuns> & Pick<JudgedRuns, 'heads'>, Partial<TestReport>]>([
    [
      'passes as before where only tests fail that failed at the base',
      { base: red('a', 'b'), heads: [red('b')] },
      { verdict: 'red_as_before', new_failures: [], failed_before: ['b'] },
    ],
    [
      'is red where one of those is to be fixed',
      { base: red('a', 'b'), heads: [red('a', 'b')], mustPass: ['b'] },
      { verdict: 'red', new_failures: [], failed_before: ['a', 'b'], must_pass: ['b'] },
    ],
    [
      'is red where one of those is to be fixed, though a red base is allowed',
      { base: red('a'), heads: [red('a')], mustPass: ['a'], allowRedBase: true },
      { verdict: 'red' },
    ],
    ['is red with a new failure', { base: red('a'), heads: [red('a', 'c')] }, { verdict: 'red', new_failures: ['c'] }],
    ['is red without names', { base: run(1), heads: [run(1)] }, { verdict: 'red' }],
    ['is red without a base', { heads: [red('a')] }, { verdict: 'red', new_failures: ['a'] }],
    [
      'is red where more tests fail than are named',
      { base: counted(1, 'a'), heads: [counted(2, 'a')] },
      { verdict: 'red', red_because: 'More tests fail than the output names.', new_failures: [], failed_before: ['a'] },
    ],
    [
      'is red where the output names fewer failures than it counts',
      { base: { ...red('a'), gap: 'unnamed' }, heads: [{ ...red('a'), gap: 'unnamed' }] },
      { verdict: 'red', red_because: 'More tests fail than the output names.' },
    ],
    [
      'is as before where the runner counts one failure twice at the base as well',
      { base: counted(3, 'a', 'b'), heads: [counted(2, 'a')] },
      { verdict: 'red_as_before' },
    ],
    [
      'is red where something failed that is no test, at the base as well: it hides what is in it',
      {
        base: { ...red('a', 'b.test.js'), broken: ['b.test.js'] },
        heads: [{ ...red('b.test.js'), broken: ['b.test.js'] }],
      },
      {
        verdict: 'red',
        red_because:
          'These could not be loaded, built or run to the end, so the results of their tests are unknown: b.test.js.',
        new_failures: [],
        failed_before: ['b.test.js'],
      },
    ],
    [
      'is as before where what was no test passes now, and a test fails as before',
      { base: { ...red('a', 'b.test.js'), broken: ['b.test.js'] }, heads: [red('a')] },
      { verdict: 'red_as_before', red_because: null },
    ],
    [
      'is red where the tests stop at the old failure, as their output says',
      { base: { ...red('a'), gap: 'stopped' }, heads: [{ ...red('a'), gap: 'stopped' }] },
      { verdict: 'red', red_because: 'The test run stops after a failure, so tests after it may fail too.' },
    ],
    [
      'is red where they stop there, as their command says',
      { base: red('a'), heads: [{ ...red('a'), command: 'pytest -x' }] },
      { verdict: 'red', red_because: 'The test run stops after a failure, so tests after it may fail too.' },
    ],
    [
      'is red where a part of the command fails that passed before, and names nothing new',
      { base: { ...red('a'), failed_parts: ['api'] }, heads: [{ ...red('a'), failed_parts: ['api', 'web'] }] },
      {
        verdict: 'red',
        red_because: 'The tests of web failed with the change and not at the base, although no new failure has a name.',
      },
    ],
    [
      'is as before where the same part fails, and where an earlier release did not tell the parts of the base',
      { base: red('a'), heads: [{ ...red('a'), failed_parts: ['api'] }] },
      { verdict: 'red_as_before' },
    ],
    [
      'is red where fewer tests ran, which the old failure would hide',
      { base: ranWith(5, 'a'), heads: [ranWith(3, 'a')] },
      {
        verdict: 'red',
        red_because: '2 fewer tests ran with the change than at the base, and the change removes none.',
      },
    ],
    [
      'is as before where the change removes as many',
      { base: ranWith(5, 'a'), heads: [ranWith(3, 'a')], touched: { titles: ['b', 'c'], more: -2 } },
      { verdict: 'red_as_before', missing: [] },
    ],
    [
      'is red where no test passes any more, whatever the change removes',
      { base: ranWith(5, 'a'), heads: [ranWith(0, 'a')], touched: { titles: null, more: null } },
      { verdict: 'red', red_because: 'No test passes with the change; at the base 5 do.' },
    ],
    [
      'is as before where others do not run by their names alone, which is said',
      {
        base: { ...ranWith(1, 'a'), passing: ['b'] },
        heads: [{ ...ranWith(1, 'a'), passing: ['c'] }],
        touched: { titles: [], more: 1 },
      },
      {
        verdict: 'red_as_before',
        missing: ['These tests ran at the base but not with the change, although the change does not touch them: b.'],
      },
    ],
    ['is red where time ended the run', { base: red('a'), heads: [run(null, ['a'], 'timeout')] }, { verdict: 'red' }],
    [
      'is green where a new failure passes when it is run again, and calls it flaky',
      { base: run(0), heads: [red('a'), run(0)] },
      { verdict: 'green', exit_code: 0, new_failures: [], flaky: [{ name: 'a', failed: 1, runs: 2 }] },
    ],
    [
      'is green at the third run',
      { base: run(0), heads: [red('a'), red('a', 'b'), run(0)] },
      {
        verdict: 'green',
        flaky: [
          { name: 'a', failed: 2, runs: 3 },
          { name: 'b', failed: 1, runs: 3 },
        ],
      },
    ],
    [
      'is as before where the new failure of a red base is flaky',
      { base: red('old'), heads: [red('old', 'a'), red('old')] },
      { verdict: 'red_as_before', failed_before: ['old'], flaky: [{ name: 'a', failed: 1, runs: 2 }] },
    ],
    [
      'is red where a failure is in every run, and names that one alone as new',
      { base: run(0), heads: [red('a', 'b'), red('a'), red('a', 'c')] },
      {
        verdict: 'red',
        new_failures: ['a'],
        flaky: [
          { name: 'b', failed: 1, runs: 3 },
          { name: 'c', failed: 1, runs: 3 },
        ],
      },
    ],
    [
      'is red where each run has another failure and none passes',
      { base: run(0), heads: [red('a'), red('b'), red('c')] },
      { verdict: 'red', new_failures: ['c'] },
    ],
    [
      'is red where the test that is to be fixed is flaky',
      { base: red('a'), heads: [red('a'), run(0)], mustPass: ['a'] },
      { verdict: 'red' },
    ],
    [
      'is red where the failure at the base is flaky, which excuses nothing',
      { base: { ...red('a'), flaky: ['a'] }, heads: [red('a')] },
      { verdict: 'red', new_failures: ['a'], failed_before: [] },
    ],
    [
      'is green where that failure is flaky at the head too',
      { base: { ...red('a'), flaky: ['a'] }, heads: [red('a'), run(0)] },
      { verdict: 'green', flaky: [{ name: 'a', failed: 1, runs: 2 }] },
    ],
  ])('%s', (_what, runs, expected) => {
    expect(judged({ ...byModel, ...runs })).toMatchObject(expected);
  });
});

it('passes what the built-in model wrote when a run is green, and not when it is as red as the base', () => {
  expect(judged({ base: run(0), heads: [red('a'), run(0)] }).verdict).toBe('green');
  expect(judged({ base: red('a'), heads: [red('a'), red('a')] }).verdict).toBe('red');
});

describe('a report', () => {
  const counts = { passed: 2, failed: 1, skipped: 0 };
  const passed = (exit: number, passing: string[] | null, failing: string[] = []): TestRun => ({
    ...run(exit, failing),
    passing,
    counts,
  });

  it('has the counts of both runs, and null where they are unknown', () => {
    expect(judged({ base: passed(0, null), heads: [passed(0, null)] })).toMatchObject({ counts, base_counts: counts });
    expect(judged({ base: run(0), heads: [run(0)] })).toMatchObject({ counts: null, base_counts: null });
  });

  it.each<[string, { base: TestRun; head: TestRun }, string[]]>([
    ['that is gone', { base: passed(0, ['a', 'b']), head: passed(0, ['a']) }, ['b']],
    [
      'that fails, under a longer name, is not among them',
      { base: passed(0, ['a', 'b']), head: passed(1, ['a'], ['f.js > s > b']) },
      [],
    ],
    [
      'whose suite fails is not among them',
      { base: passed(0, ['s', 's > b']), head: passed(1, [], ['f.js > s > b']) },
      [],
    ],
    [
      'whose file stands between its package and its suite where it fails is not among them',
      { base: passed(0, ['shop > s > b', 'shop > s > a']), head: passed(1, [], ['shop > f.js > s > b']) },
      ['shop > s > a'],
    ],
    [
      'whose package is named where it fails is not among them',
      { base: passed(0, ['TestA', 'TestB']), head: passed(1, ['TestA'], ['example.com/m TestB']) },
      [],
    ],
    [
      'that failed at the base is among them, and one that passes now is not',
      { base: passed(1, ['a'], ['f.js > s > b', 'f.js > c']), head: passed(0, ['a', 's > b']) },
      ['f.js > c'],
    ],
    ['is unknown without the names at the base', { base: passed(0, null), head: passed(0, ['a']) }, []],
    ['is unknown without the names at the head', { base: passed(0, ['a']), head: passed(0, null) }, []],
  ])('names a test that no longer runs: one %s', (_what, { base, head }, expected) => {
    expect(judged({ base, heads: [head] }).not_run).toEqual(expected);
  });
});
