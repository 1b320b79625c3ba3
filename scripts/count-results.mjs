// Adds up the reports of the tests and of the checks, and prints the line that a build ends with. Plain JavaScript, so
// that it runs even where the installation failed. Arguments: for each tier the reports of vitest and of Playwright and the
// exit code of both, then the checks' report and exit code.
import { readFileSync } from 'node:fs';

/** More than these in one run are no accident. */
const MAX_FLAKY = 3;

const tierArguments = process.argv.slice(2, -2);
const [checkReport, checkExit] = process.argv.slice(-2);

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** A runner that exits with an error and reports no failure (it crashed, or did not start) counts as one. */
function counted({ passed, failed }, exitCode) {
  return { passed, failed: exitCode !== '0' && failed === 0 ? 1 : failed };
}

function countTests(report) {
  if (report === null) return { passed: 0, failed: 0, names: [], skipped: [], flaky: [] };
  // A file that does not load has no tests to count.
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const results = report.testResults.flatMap((file) => file.assertionResults);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    names: [
      ...unloaded.map(({ name }) => ({ fullName: `${name}, which does not load` })),
      ...results.filter(({ status }) => status === 'failed'),
    ],
    skipped: results.filter(({ status }) => status === 'skipped' || status === 'pending'),
    // The report keeps the errors of the first try.
    flaky: results.filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0),
  };
}

/** A report that is missing or has no test counts as a failure: the exit code is of both runners. */
function countBrowserTests(report) {
  const results = report === null ? [] : report.suites.flatMap((suite) => browserTests(suite, []));
  const having = (status) => results.filter((result) => result.status === status);
  const names = having('unexpected');
  // An error beside the tests: a file that does not load.
  const errors = report?.errors.length ?? 0;
  return {
    passed: having('expected').length + having('flaky').length,
    failed: results.length === 0 ? Math.max(1, errors) : names.length + errors,
    names,
    skipped: having('skipped'),
    flaky: having('flaky'),
  };
}

function browserTests({ title, suites = [], specs = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status }) => ({ fullName: [...path, spec.title].join(' > '), status })),
  );
  return [...own, ...suites.flatMap((suite) => browserTests(suite, path))];
}

/** One run of a tier's tests, by both runners. */
function countTier(testReport, browserReport, exitCode) {
  const unit = countTests(read(testReport));
  const browser = countBrowserTests(read(browserReport));
  return {
    ...counted({ passed: unit.passed + browser.passed, failed: unit.failed + browser.failed }, exitCode),
    names: [...unit.names, ...browser.names],
    skipped: [...unit.skipped, ...browser.skipped],
    flaky: [...unit.flaky, ...browser.flaky],
  };
}

const tiers = [];
for (let at = 0; at < tierArguments.length; at += 3) tiers.push(countTier(...tierArguments.slice(at, at + 3)));
const checkResults = read(checkReport) ?? { passed: 0, failed: 0, names: [] };
const checks = counted(checkResults, checkExit);
const flaky = tiers.flatMap((tier) => tier.flaky);
const tooFlaky = flaky.length > MAX_FLAKY ? 1 : 0;
const passed = tiers.reduce((sum, tier) => sum + tier.passed, checks.passed);
const failed = tiers.reduce((sum, tier) => sum + tier.failed, checks.failed) + tooFlaky;
for (const { fullName } of tiers.flatMap((tier) => tier.skipped)) console.log(`not run on this machine: ${fullName}`);
for (const { fullName } of flaky) console.log(`flaky, passed when retried: ${fullName}`);
if (tooFlaky > 0) console.log(`${flaky.length} flaky tests: more than ${MAX_FLAKY} fail the build`);
for (const { fullName } of tiers.flatMap((tier) => tier.names)) console.log(`failed: ${fullName}`);
for (const name of checkResults.names) console.log(`failed: the check ${name}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
