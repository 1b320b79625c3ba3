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

type BrowserStatus = 'expected' | 'unexpected' | 'flaky' | 'skipped';

/** The report of Playwright: tests in files, and in groups of them. */
function browserReportOf(results: Readonly<Record<string, BrowserStatus>>, errors: readonly object[] = []) {
  const specs = Object.entries(results).map(([title, status]) => ({ title, tests: [{ status }] }));
  const group = { title: 'the gate', specs: specs.slice(1) };
  return { errors, suites: [{ title: 'issue.spec.ts', specs: specs.slice(0, 1), suites: [group] }] };
}

const oneBrowserTest = browserReportOf({ opens: 'expected' });

interface Reports {
  readonly tests: object | null;
  readonly browser?: object | null;
  readonly exit?: number;
}

/** Counts the reports of each tier; a report of null was never written. The checks' report has seven that passed. */
function count(...tiers: readonly Reports[]) {
  return countWithChecks([], tiers);
}

/** The same, where these checks failed. */
function countWithChecks(failed: readonly string[], tiers: readonly Reports[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-count-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, report: object | null): string => {
    const file = join(folder, `${name}.json`);
    if (report !== null) writeFileSync(file, JSON.stringify(report));
    return file;
  };
  const ofTiers = tiers.flatMap(({ tests, browser = oneBrowserTest, exit = 0 }, tier) => [
    write(`tests-${tier}`, tests),
    write(`browser-${tier}`, browser),
    String(exit),
  ]);
  const checks = write('checks', { passed: 7, failed: failed.length, names: failed });
  const exit = failed.length === 0 ? '0' : '1';
  const { status, stdout } = spawnSync(process.execPath, [script, ...ofTiers, checks, exit], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

it('adds up the tiers', () => {
  const first = { tests: reportOf([passed('a'), passed('b')]) };
  const deep = { tests: reportOf([passed('c'), { fullName: 'd', status: 'failed' }]), exit: 1 };
  expect(count(first, deep)).toEqual({ status: 1, lines: ['failed: d', '12 passed, 1 failed'] });
});

it('counts a tier that wrote no report as a failure', () => {
  const first = { tests: reportOf([passed('a')]) };
  expect(count(first, { tests: null, browser: null, exit: 1 }).lines.at(-1)).toBe('9 passed, 1 failed');
});

it('names the checks that failed', () => {
  const { status, lines } = countWithChecks(['lint'], [{ tests: reportOf([passed('a')]) }]);
  expect(lines).toEqual(['failed: the check lint', '9 passed, 1 failed']);
  expect(status).toBe(1);
});

it('adds the tests and the checks', () => {
  expect(count({ tests: reportOf([passed('a'), passed('b')]) })).toEqual({ status: 0, lines: ['10 passed, 0 failed'] });
});

it('fails when a test failed, and names it', () => {
  const tests = reportOf([passed('a'), { fullName: 'b', status: 'failed' }]);
  expect(count({ tests, exit: 1 })).toEqual({ status: 1, lines: ['failed: b', '9 passed, 1 failed'] });
});

it.each([
  ['wrote no report', null],
  ['reported no failure', reportOf([passed('a')])],
])('counts a runner that exited with an error and %s as a failure', (_what, tests) => {
  const { status, lines } = count({ tests, exit: 1 });
  expect([status, lines.at(-1)]).toEqual([1, tests === null ? '8 passed, 1 failed' : '9 passed, 1 failed']);
});

it('counts a file that does not load as a failure', () => {
  const file = { name: 'a.test.ts', status: 'failed', assertionResults: [] };
  const tests = { numPassedTests: 0, numFailedTests: 0, testResults: [file] };
  expect(count({ tests, exit: 1 }).lines).toEqual(['failed: a.test.ts, which does not load', '8 passed, 1 failed']);
});

it('names the tests that were skipped', () => {
  const { lines } = count({ tests: reportOf([passed('a'), { fullName: 'needs root', status: 'skipped' }]) });
  expect(lines).toEqual(['not run on this machine: needs root', '9 passed, 0 failed']);
});

it('names the tests that passed when they were retried', () => {
  const { status, lines } = count({ tests: reportOf([passed('a'), flaky('b'), flaky('c'), flaky('d')]) });
  expect(status).toBe(0);
  expect(lines).toEqual([
    ...['b', 'c', 'd'].map((name) => `flaky, passed when retried: ${name}`),
    '12 passed, 0 failed',
  ]);
});

it('fails when more than three tests are flaky', () => {
  const { status, lines } = count({ tests: reportOf(['a', 'b', 'c', 'd'].map(flaky)) });
  expect(status).toBe(1);
  expect(lines.slice(-2)).toEqual(['4 flaky tests: more than 3 fail the build', '12 passed, 1 failed']);
});

it('adds the tests in a browser, and names what was skipped and what passed when it was retried', () => {
  const browser = browserReportOf({ opens: 'expected', approves: 'flaky', rejects: 'skipped' });
  expect(count({ tests: reportOf([passed('a')]), browser })).toEqual({
    status: 0,
    lines: [
      'not run on this machine: issue.spec.ts > the gate > rejects',
      'flaky, passed when retried: issue.spec.ts > the gate > approves',
      '10 passed, 0 failed',
    ],
  });
});

it('fails when a test in a browser failed, or a file of them does not load', () => {
  const failed = browserReportOf({ opens: 'unexpected', approves: 'expected' });
  expect(count({ tests: reportOf([passed('a')]), browser: failed, exit: 1 }).lines).toEqual([
    'failed: issue.spec.ts > opens',
    '9 passed, 1 failed',
  ]);
  const unloaded = browserReportOf({ opens: 'expected' }, [{ message: 'Cannot find module' }]);
  expect(count({ tests: reportOf([passed('a')]), browser: unloaded, exit: 1 }).lines).toEqual(['9 passed, 1 failed']);
});

it.each([
  ['missing', null],
  ['empty', browserReportOf({})],
])('counts a report of the tests in a browser that is %s as a failure', (_what, browser) => {
  expect(count({ tests: reportOf([passed('a')]), browser })).toEqual({ status: 1, lines: ['8 passed, 1 failed'] });
});

it('counts the flaky tests of both runners together', () => {
  const browser = browserReportOf({ opens: 'flaky', approves: 'flaky' });
  const { status, lines } = count({ tests: reportOf([flaky('a'), flaky('b')]), browser });
  expect([status, lines.at(-2)]).toEqual([1, '4 flaky tests: more than 3 fail the build']);
});
