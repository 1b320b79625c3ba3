import type { ChangedFile, Finding, JudgedChange } from '@sluice/core/change';
import { belongsToTests, isTestFile } from './belongs-to-tests.ts';
import { changedCommands } from './changed-commands.ts';
import { changedConfiguration } from './changed-configuration.ts';
import { type ComparedTests, compareTests } from './compared-tests.ts';
import { deletedTests, testsInstead } from './deleted-tests.ts';
import { disabledChecks } from './disabled-checks.ts';
import { disabledRules } from './disabled-rules.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';
import { listedTests } from './listed-tests.ts';
import { lostRows } from './lost-rows.ts';
import { loweredThresholds } from './lowered-thresholds.ts';
import { programText } from './program-text.ts';
import { replacedSubjects } from './replaced-subject.ts';
import { isSnapshot, rewrittenSnapshots } from './rewritten-snapshots.ts';
import { focusedTests, skippedTests } from './skipped-tests.ts';
import { vacuousTests } from './vacuous-tests.ts';
import { weakenedTests } from './weakened-tests.ts';

const MAX_FINDINGS = 100; // a person reads no more of them one by one

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
  return [...found.slice(0, MAX_FINDINGS), ...unlisted(found.slice(MAX_FINDINGS))];
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

/** Calls that end the process of the tests as if they had passed. In a test of its own that may be what is tested. */
const exits: readonly (readonly [RegExp, RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /^process\.exit\((?:0|)\)|^[^\n]*\bprocess\.exitCode\s*=\s*0\b/m],
  [/\.py$/, /^(?:sys\.exit|os\._exit|exit|quit)\((?:0|)\)/m],
  [
    /_test\.go$/,
    /^func TestMain\([^\n]*\n(?:[ \t][^\n]*\n|\n)*?[ \t]+os\.Exit\(0\)|^func TestMain\([^\n]*(?:\n(?![^\n]*\.Run\()[ \t][^\n]*|\n(?=\n))*\n\}/m,
  ],
  [/\.rb$/, /^exit!?(?:\((?:0|true)\)|[ \t]+(?:0|true))?[ \t]*$|\bat_exit[^\n]*\bexit!?[( ]*(?:0|true)\b/m],
];

/** Files of tests that let the run end well whatever their tests find. */
function forcedExits(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }): Finding[] => {
    const exit = exits.find(([name]) => name.test(path))?.[1];
    if (after === null || exit === undefined || !belongsToTests(path)) return [];
    const found = exit.exec(after);
    if (found === null || exit.test(before ?? '')) return [];
    const line = after.slice(0, found.index + found[0].length).split('\n').length;
    const [last = ''] = /[^\n]*$/.exec(found[0]) ?? [];
    return [{ kind: 'test_vacuous', path, line, detail: `The file's tests pass in any case: \`${last.trim()}\`.` }];
  });
}

const LEFTOVER =
  /(?:^|\/)(?:scratch[^/]*|nohup\.out|core(?:\.\d+)?|\.DS_Store|npm-debug\.log|[^/]+\.(?:tmp|temp|orig|rej|bak|swp|log|pyc)|[^/]+~)$/i;

/** New files that look like leftovers of an editor, a patch or an experiment, and that the plan does not name. */
function scratchFiles(files: readonly ChangedFile[], planned: ReadonlySet<string>): Finding[] {
  return files
    .filter(({ path, before, after }) => before === null && after !== null && LEFTOVER.test(path) && !planned.has(path))
    .map(({ path }) => ({
      kind: 'scratch_file',
      path,
      line: null,
      detail: 'The new file looks like a leftover, and the plan does not name it.',
    }));
}

/** Tests that are still there and that their runner no longer finds, because their file, their class or they were renamed. */
function uncollectedTests({ kept }: ComparedTests): Finding[] {
  const lost = kept
    .filter(({ before, after }) => !after.isGroup && before.isCollected && !after.isCollected)
    .map(({ after }) => after);
  return [...Map.groupBy(lost, ({ path }) => path)].map(([path, tests]) => {
    const [first] = tests;
    const what = tests.length === 1 ? 'The runner no longer finds the test' : 'The runner no longer finds tests';
    return {
      kind: 'test_skipped',
      path,
      line: first?.line ?? null,
      detail: `${what}, unless its configuration lists them: ${listedTests(tests)}.`,
    };
  });
}
