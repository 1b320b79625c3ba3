import type { TestRun } from '@sluice/core/pipeline';
import { NOTHING_TOUCHED, type TouchedTests } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { losesTests, missingTests, notRun } from './missing-tests.ts';

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });
function run(changes: Partial<TestRun>): TestRun {
  const green = { command: 'npm test', exit_code: 0, duration_ms: 1, failing: [], output_tail: '', ended_by: null };
  return { ...green, ...changes };
}
const counted = (passed: number, failed = 0, changes: Partial<TestRun> = {}) =>
  run({ exit_code: failed === 0 ? 0 : 1, counts: counts(passed, failed), ...changes });
const named = (...passing: string[]) => run({ passing, counts: counts(passing.length) });
const touched = (more: number | null, ...titles: string[]): TouchedTests => ({ more, titles });

const byNumber: [string, TestRun, TestRun, TouchedTests, string | null][] = [
  ['as many', counted(3), counted(3), NOTHING_TOUCHED, null],
  ['more', counted(3), counted(4), NOTHING_TOUCHED, null],
  [
    'one less',
    counted(3),
    counted(2),
    NOTHING_TOUCHED,
    '1 test fewer ran with the change than at the base, and the change removes none.',
  ],
  ['one less, which is removed', counted(3), counted(2), touched(-1), null],
  [
    'three less of which one is removed',
    counted(5),
    counted(2),
    touched(-1),
    '3 fewer tests ran with the change than at the base, and the change removes 1.',
  ],
  ['some less, of tables', counted(5), counted(2), touched(null), null],
  [
    'none at all, whatever was touched',
    counted(5),
    counted(0),
    touched(null),
    'No test passes with the change; at the base 5 do.',
  ],
  [
    'one skipped',
    counted(3),
    run({ counts: counts(2, 0, 1) }),
    NOTHING_TOUCHED,
    '1 test fewer ran with the change than at the base, and the change removes none.',
  ],
  ['as many, of which one is fixed', counted(2, 1), counted(3), NOTHING_TOUCHED, null],
  [
    'one less, which failed',
    counted(2, 1),
    counted(2),
    NOTHING_TOUCHED,
    '1 test fewer ran with the change than at the base, and the change removes none.',
  ],
  [
    'as many, where the runner counts a failing test twice',
    counted(2, 2, { failing: ['a'] }),
    counted(3),
    NOTHING_TOUCHED,
    null,
  ],
  [
    'no number',
    counted(3),
    run({}),
    NOTHING_TOUCHED,
    'The test output says how many tests ran at the base, but not with the change.',
  ],
  ['no number at the base either', run({}), run({}), NOTHING_TOUCHED, null],
  [
    'no number, by a runner that counts where a test fails',
    counted(2, 1, { counts_when_red: true }),
    run({}),
    NOTHING_TOUCHED,
    null,
  ],
  [
    'less by such a runner, where tests still fail',
    counted(2, 2, { counts_when_red: true }),
    counted(1, 1),
    NOTHING_TOUCHED,
    '2 fewer tests ran with the change than at the base, and the change removes none.',
  ],
  [
    'less than at a base that a limit ended',
    counted(3, 0, { exit_code: null, ended_by: 'timeout' }),
    counted(1),
    NOTHING_TOUCHED,
    null,
  ],
];

describe('tests that are missing by their number', () => {
  it.each(byNumber)('are told where the change runs %s', (...[, base, head, change, expected]) => {
    expect(missingTests(head, base, change).byNumber).toBe(expected);
  });
});

const missing = (names: string) =>
  `These tests ran at the base but not with the change, although the change does not touch them: ${names}.`;
const byName: [string, TestRun, TestRun, TouchedTests, string | null][] = [
  ['is gone', named('a', 'b'), named('a'), NOTHING_TOUCHED, missing('b')],
  ['the change removes', named('a', 's > b'), named('a'), touched(-1, 'b'), null],
  ['the change renames, by its group', named('a', 's > b'), named('a', 't > b'), touched(0, 's'), null],
  ['has a title made of values', named('adds 1 and 2'), named('adds 1 and 3'), touched(null, 'adds %i and %i'), null],
  ['has parameters', named('t.py::test_a[x]'), named('t.py::test_a[y]'), touched(null, 'test_a'), null],
  ['is a subtest of Go', named('m TestA/two_words'), named('m TestA'), touched(null, 'two words'), null],
  ['is a method of a class', named('x.AppTest > adds()'), named(), touched(-1, 'adds'), null],
  ['is one of several, of which one is touched', named('a', 'b'), named(), touched(-1, 'a'), missing('b')],
  ['has another name by what the program gives', named('has version 1'), named('has version 2'), NOTHING_TOUCHED, null],
  ['is replaced by one that the change adds', named('a', 'b'), named('a', 'c'), touched(1), missing('b')],
  ['fails now', named('a', 'b'), run({ exit_code: 1, passing: ['a'], failing: ['f.js > b'] }), NOTHING_TOUCHED, null],
  [
    'failed and was not run again',
    run({ exit_code: 1, failing: ['b'], passing: ['a'] }),
    named('a'),
    NOTHING_TOUCHED,
    missing('b'),
  ],
  [
    'was no test but a file',
    run({ exit_code: 1, failing: ['test_b.py'], broken: ['test_b.py'], passing: ['a'] }),
    named('a', 'b'),
    NOTHING_TOUCHED,
    null,
  ],
  ['is a file without tests', named('a', 'test/helper.js'), named('a'), NOTHING_TOUCHED, null],
  ['is gone, in a language that is not read', named('a', 'b'), named('a'), { titles: null, more: null }, null],
];

describe('tests that are missing by their name', () => {
  it.each(byName)('are told, one that %s', (...[, base, head, change, expected]) => {
    expect(missingTests(head, base, change).byName).toBe(expected);
  });
});

it('matters what a change does to tests only where fewer ran, or others', () => {
  expect(losesTests(counted(3), counted(3))).toBe(false);
  expect(losesTests(counted(2), counted(3))).toBe(true);
  expect(losesTests(named('a', 'b'), named('a', 'c'))).toBe(true);
  expect(losesTests(run({}), counted(3))).toBe(false);
});

it('takes a suite that passes for none of its tests', () => {
  const base = run({ exit_code: 1, failing: ['a.test.js > sum > adds'] });
  expect(notRun(named('sum', 'sum > subtracts'), base)).toEqual(['a.test.js > sum > adds']);
  expect(notRun(named('sum', 'sum > adds'), base)).toEqual([]);
});
