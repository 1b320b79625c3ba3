import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('./count-results.mjs', import.meta.url));

interface Result {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly failureMessages?: readonly string[];
}

const passed = (fullName: string): Result => ({ fullName, status: 'passed', failureMessages: [] });
const flaky = (fullName: string): Result => ({ fullName, status: 'passed', failureMessages: ['too late'] });

function reportOf(results: readonly Result[]) {
  return {
    numPassedTests: results.filter(({ status }) => status === 'passed').length,
    numFailedTests: results.filter(({ status }) => status === 'failed').length,
    testResults: [{ status: 'passed', assertionResults: results }],
  };
}

/** Counts these reports; a report of null was never written. */
function count({ tests, exit = 0 }: { tests: object | null; exit?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-count-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [testFile, checkFile] = [join(folder, 'tests.json'), join(folder, 'checks.json')];
  if (tests !== null) writeFileSync(testFile, JSON.stringify(tests));
  writeFileSync(checkFile, JSON.stringify({ passed: 7, failed: 0 }));
  const { status, stdout } = spawnSync(process.execPath, [script, testFile, String(exit), checkFile, '0'], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
}

it('adds the tests and the checks', () => {
  expect(count({ tests: reportOf([passed('a'), passed('b')]) })).toEqual({ status: 0, lines: ['9 passed, 0 failed'] });
});

it('fails when a test failed', () => {
  const tests = reportOf([passed('a'), { fullName: 'b', status: 'failed' }]);
  expect(count({ tests, exit: 1 })).toEqual({ status: 1, lines: ['8 passed, 1 failed'] });
});

it.each([
  ['wrote no report', null],
  ['reported no failure', reportOf([passed('a')])],
])('counts a runner that exited with an error and %s as a failure', (_what, tests) => {
  const { status, lines } = count({ tests, exit: 1 });
  expect([status, lines.at(-1)]).toEqual([1, tests === null ? '7 passed, 1 failed' : '8 passed, 1 failed']);
});

it('counts a file that does not load as a failure', () => {
  const tests = { numPassedTests: 0, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
  expect(count({ tests, exit: 1 }).lines).toEqual(['7 passed, 1 failed']);
});

it('names the tests that were skipped', () => {
  const { lines } = count({ tests: reportOf([passed('a'), { fullName: 'needs root', status: 'skipped' }]) });
  expect(lines).toEqual(['not run on this machine: needs root', '8 passed, 0 failed']);
});

it('names the tests that passed when they were retried', () => {
  const { status, lines } = count({ tests: reportOf([passed('a'), flaky('b'), flaky('c'), flaky('d')]) });
  expect(status).toBe(0);
  expect(lines).toEqual([
    ...['b', 'c', 'd'].map((name) => `flaky, passed when retried: ${name}`),
    '11 passed, 0 failed',
  ]);
});

it('fails when more than three tests are flaky', () => {
  const { status, lines } = count({ tests: reportOf(['a', 'b', 'c', 'd'].map(flaky)) });
  expect(status).toBe(1);
  expect(lines.slice(-2)).toEqual(['4 flaky tests: more than 3 fail the build', '11 passed, 1 failed']);
});
