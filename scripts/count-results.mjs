// Adds up the reports of the tests and of the checks, and prints the line that a build ends with. Plain JavaScript, so
// that it runs even where the installation failed. Arguments: the tests' report and exit code, then the checks'.
import { readFileSync } from 'node:fs';

/** More than these in one run are no accident. */
const MOST_FLAKY = 3;

const [testReport, testExit, checkReport, checkExit] = process.argv.slice(2);

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
  if (report === null) return { passed: 0, failed: 0 };
  // A file that does not load has no tests to count.
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

const report = read(testReport);
const results = report?.testResults.flatMap((file) => file.assertionResults) ?? [];
const skipped = results.filter(({ status }) => status === 'skipped' || status === 'pending');
// The report keeps the errors of the first try.
const flaky = results.filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0);

const tests = counted(countTests(report), testExit);
const checks = counted(read(checkReport) ?? { passed: 0, failed: 0 }, checkExit);
const tooFlaky = flaky.length > MOST_FLAKY ? 1 : 0;
const failed = tests.failed + checks.failed + tooFlaky;
for (const { fullName } of skipped) console.log(`not run on this machine: ${fullName}`);
for (const { fullName } of flaky) console.log(`flaky, passed when retried: ${fullName}`);
if (tooFlaky > 0) console.log(`${flaky.length} flaky tests: more than ${MOST_FLAKY} fail the build`);
console.log(`${tests.passed + checks.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
