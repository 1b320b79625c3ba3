import type { TestCounts, TestReport } from './test-report.ts';

const NAMED = 20; // a coder fixes no more at once, and a person reads no more; the result has them all

/**
 * The facts of a test report beside its verdict, one sentence each: counts, failures that are not new, flaky tests,
 * tests that no longer run, and what the changed tests prove. Empty for a report of an early version. Names are as
 * tests wrote them.
 */
export function testFacts(report: TestReport): string[] {
  const { counts, base_counts, failed_before, must_pass, flaky, not_run, missing, reproduction, base_tests } = report;
  return [
    ...(counts == null
      ? []
      : [`${inWords(counts)}${base_counts == null ? '' : `; at the base: ${inWords(base_counts)}`}.`]),
    ...renderUncounted(report),
    ...sentence('Failed before the change and still fail', failed_before),
    ...sentence('To be fixed by this issue', must_pass),
    ...sentence(
      'Flaky, failing in some runs of the same commit only',
      flaky?.map(({ name, failed, runs }) => `${name} (failed in ${failed} of ${runs} runs)`),
    ),
    ...sentence('Ran at the base and did not run with the change', not_run),
    ...(missing ?? []),
    ...(base_tests == null ? [] : [renderBaseTests(base_tests)]),
    ...(reproduction == null
      ? []
      : [`A test that fails without the change: ${FOUND[reproduction.outcome]}. ${reproduction.detail}`]),
  ];
}

/**
 * Failures that the exit code does not count, in one sentence: a pipe, or a script, lost the exit code of the runner. Tests of
 * a test runner print such lines too, but as many of them at the base.
 */
export function renderUncounted({ exit_code, counts, base_counts, base_exit_code }: TestReport): string[] {
  const failed = counts?.failed ?? 0;
  const before = base_exit_code === 0 ? (base_counts?.failed ?? 0) : 0;
  if (exit_code !== 0 || failed <= before) return [];
  const tests = failed === 1 ? '1 failed test' : `${failed} failed tests`;
  return [`The test command ended with exit code 0, but its output tells of ${tests}.`];
}

const FOUND = {
  reproduced: 'yes',
  not_reproduced: 'no',
  no_test: 'no',
  unknown: 'unknown',
} as const satisfies Record<NonNullable<TestReport['reproduction']>['outcome'], string>;

function renderBaseTests({ exit_code, failed }: NonNullable<TestReport['base_tests']>): string {
  const what = 'With the changed tests as they were at the base';
  if (exit_code === 0) return `${what}, all tests pass too.`;
  if (failed.length > 0) return `${what}, these fail: ${listed(failed)}. The change may be meant to alter that.`;
  return exit_code === null
    ? `${what}, a limit ended the tests.`
    : `${what}, the tests fail with exit code ${exit_code}.`;
}

function inWords({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function sentence(what: string, names: readonly string[] | undefined): string[] {
  return names === undefined || names.length === 0 ? [] : [`${what}: ${listed(names)}.`];
}

/** Some names of a list, and how many more there are. */
export function listed(names: readonly string[], most = NAMED): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
