import type { Finding, JudgedChange } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import { changedCommands } from './changed-commands.ts';
import { changedConfiguration } from './changed-configuration.ts';
import { compareTests } from './compared-tests.ts';
import { deletedTests } from './deleted-tests.ts';
import { disabledChecks } from './disabled-checks.ts';
import { disabledRules } from './disabled-rules.ts';
import { forcedExits } from './forced-exits.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';
import { lostRows } from './lost-rows.ts';
import { loweredThresholds } from './lowered-thresholds.ts';
import { programText } from './program-text.ts';
import { replacedSubjects } from './replaced-subject.ts';
import { isSnapshot, rewrittenSnapshots } from './rewritten-snapshots.ts';
import { scratchFiles } from './scratch-files.ts';
import { focusedTests, skippedTests } from './skipped-tests.ts';
import { testsInstead } from './tests-instead.ts';
import { uncollectedTests } from './uncollected-tests.ts';
import { vacuousTests } from './vacuous-tests.ts';
import { weakenedTests } from './weakened-tests.ts';

const MOST_FINDINGS = 100; // a person reads no more of them one by one

/** Compares a change with its base, and returns what a reviewer and a person should know before it is published. */
export function changeFindings({ files, planned }: JudgedChange): Finding[] {
  const named = new Set(planned);
  const tests = compareTests(files);
  const program = programText(files);
  const { removed } = program;
  const vacuous = vacuousTests(tests);
  const replaced = replacedSubjects(files, tests);
  const isTold = new Set([...vacuous, ...replaced].map(({ path, line }) => `${path}:${line}`));
  const weakened = weakenedTests(tests, program).filter(({ path, line }) => !isTold.has(`${path}:${line}`));
  const found = [
    ...deletedTests(files, tests, program),
    ...lostRows(files, tests, removed),
    ...skippedTests(tests),
    ...uncollectedTests(tests),
    ...focusedTests(tests),
    ...vacuous,
    ...forcedExits(files),
    ...replaced,
    ...weakened,
    ...testsInstead(files, { planned, tests }),
    ...rewrittenSnapshots(files, { planned: named, tests, program }),
    ...changedCommands(files),
    ...changedConfiguration(files),
    ...loweredThresholds(files),
    ...disabledRules(files),
    ...disabledChecks(files),
    ...scratchFiles(files, named),
  ];
  return [...found.slice(0, MOST_FINDINGS), ...unlisted(found.slice(MOST_FINDINGS))];
}

/** A finding for those that are not listed: no number of findings may hide the rest from a person. */
function unlisted(more: readonly Finding[]): Finding[] {
  const [first] = more;
  if (first === undefined) return [];
  const paths = new Set(more.map(({ path }) => path)).size;
  const detail = `${more.length} more findings in ${paths} ${paths === 1 ? 'file' : 'files'} are not listed: see the diff.`;
  return [{ kind: 'not_compared', path: first.path, line: null, detail }];
}

/** Whether the findings depend on this file more than on the others of a change that is too large to be read. */
export function isJudgedFile(path: string): boolean {
  // Rust keeps tests beside what they test.
  return isTestFile(path) || isCheckConfiguration(path) || isSnapshot(path) || path.endsWith('.rs');
}
