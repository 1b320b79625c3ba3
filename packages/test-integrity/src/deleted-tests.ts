import type { ChangedFile, Finding } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import type { ComparedTests } from './compared-tests.ts';
import { explainDeletions } from './explained-deletions.ts';
import { listedTests } from './listed-tests.ts';
import { pairAssertions } from './pair-assertions.ts';
import type { ProgramText } from './program-text.ts';
import type { TestCase } from './test-case.ts';
import { namesOf, plainCode, shareIn } from './tokens.ts';

const MAX_EXPLAINED_TESTS = 500; // tests: without the rest a person looks at the change anyway

/**
 * Tests that are gone although what they tested is not. A test that was merged into another, or that is there twice, is not
 * gone; nor is one that uses what the change removes from the program.
 */
export function deletedTests(files: readonly ChangedFile[], tests: ComparedTests, program: ProgramText): Finding[] {
  const { gone } = tests;
  const isExplained = explainDeletions(tests, program);
  const missing = gone
    .filter((test) => !test.isGroup && test.skip !== 'always')
    .filter((test, index) => index >= MAX_EXPLAINED_TESTS || !isExplained(test));
  const byPath = Map.groupBy(missing, ({ path }) => path);
  const inFiles = [...byPath].map(([path, tests]): Finding => {
    const isGone = files.find((file) => file.path === path)?.after === null;
    const what = tests.length === 1 ? 'The test' : `${tests.length} tests`;
    const where = isGone
      ? `The file is deleted with ${tests.length === 1 ? 'its test' : `its ${tests.length} tests`}:`
      : `${what} ${tests.length === 1 ? 'is' : 'are'} gone:`;
    return { kind: 'test_deleted', path, line: null, detail: `${where} ${listedTests(tests)}.` };
  });
  return [...inFiles, ...unreadFiles(files, gone)];
}

/** Deleted files that are tests by their name, in a language of which tests are not read one by one. */
function unreadFiles(files: readonly ChangedFile[], gone: readonly TestCase[]): Finding[] {
  const read = new Set(gone.map(({ path }) => path));
  return files
    .filter(
      ({ path, before, after }) =>
        before !== null && after === null && UNREAD.test(path) && isTestFile(path) && !read.has(path),
    )
    .filter(({ before }) => !files.some((other) => other.before === null && other.after === before))
    .map(({ path }) => ({ kind: 'test_deleted', path, line: null, detail: 'The test file is deleted.' }));
}

const UNREAD = /\.(?:php|cs|exs|swift|dart|scala|groovy|bats|feature|t|sh|lua|c|cc|cpp|clj|hs)$/;

const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|exs?|swift|dart|scala|c|cc|cpp|h|vue|svelte)$/;
const NOTHING: ReadonlySet<string> = new Set();

interface Facts {
  readonly planned: readonly string[];
  readonly tests: ComparedTests;
}

/**
 * The test that a change edits instead of the program, where the plan changes the program and the change leaves it as it is.
 * An expected value that the change turns round is a finding of its own.
 */
export function testsInstead(files: readonly ChangedFile[], { planned, tests }: Facts): Finding[] {
  const isProgram = (path: string) => SOURCE.test(path) && !isTestFile(path);
  const source = planned.find(isProgram);
  const first = files.find(({ path }) => isTestFile(path));
  // Rust keeps tests in the file that they test.
  if (source === undefined || first === undefined || files.some(({ path }) => isProgram(path))) return [];
  const detail = `The plan changes \`${source}\`, and the change leaves the program as it is: it changes tests only.`;
  return [{ kind: 'plan_not_followed', path: first.path, line: null, detail }, ...turnedRound(tests)];
}

function turnedRound({ kept }: ComparedTests): Finding[] {
  return kept.flatMap(({ before, after }): Finding[] => {
    if (after.isGroup) return [];
    const changed = pairAssertions(before, after, NOTHING).pairs.find(
      ({ from, to }) =>
        from.rank <= to.rank &&
        shareIn(namesOf(from.code), namesOf(to.code)) === 1 &&
        plainCode(from.code) !== plainCode(to.code),
    );
    if (changed === undefined) return [];
    const detail = `The test "${after.name}" expects something else of the same program: \`${changed.from.text}\` became \`${changed.to.text}\`.`;
    return [{ kind: 'expectation_changed', path: after.path, line: after.line, detail }];
  });
}
