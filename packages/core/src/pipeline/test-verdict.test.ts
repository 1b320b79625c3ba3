import { describe, expect, it } from 'vitest';
import { type TestReport, type TestRun, testReportSchema, testRunSchema } from './test-report.ts';
import { judgeTests } from './test-verdict.ts';

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

describe('the verdict on a head that is', () => {
  it.each(rows)('%s', (...[, { base, head, allowRedBase = false }, verdict, newFailures]) => {
    const report = judgeTests({ base, head, allowRedBase });
    expect(testReportSchema.parse(report)).toEqual({
      command: 'npm test',
      verdict,
      exit_code: head.exit_code,
      duration_ms: 12,
      base_exit_code: base?.exit_code ?? null,
      new_failures: newFailures,
    });
  });
});
