// Adds up what the runners reported and prints the one line that a build ends with. Plain JavaScript: it has to
// speak even where the install failed. Arguments: the tests' report and exit code, the checks' report and exit code.
import { readFileSync } from 'node:fs';

const [testReport, testExit, checkReport, checkExit] = process.argv.slice(2);

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** A runner that failed without naming a failure (it crashed, or never started) counts as one. */
function counted({ passed, failed }, exitCode) {
  return { passed, failed: exitCode !== '0' && failed === 0 ? 1 : failed };
}

function countTests(report) {
  if (report === null) return { passed: 0, failed: 0 };
  // A file that does not load has no tests to count, and fails all the same.
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/** Tests that this machine cannot run, by title: a skip that nobody sees is a check that cannot fail. */
function skippedTests(report) {
  const all = report?.testResults.flatMap((file) => file.assertionResults) ?? [];
  return all.filter(({ status }) => status === 'skipped' || status === 'pending').map(({ fullName }) => fullName);
}

const report = read(testReport);
const tests = counted(countTests(report), testExit);
const checks = counted(read(checkReport) ?? { passed: 0, failed: 0 }, checkExit);
const failed = tests.failed + checks.failed;
for (const title of skippedTests(report)) console.log(`not run on this machine: ${title}`);
console.log(`${tests.passed + checks.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
