import type { ChangedFile, Finding } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import type { ComparedTests } from './compared-tests.ts';
import { pairAssertions } from './pair-assertions.ts';
import { namesOf, plainCode, shareIn } from './tokens.ts';

const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|exs?|swift|dart|scala|c|cc|cpp|h|vue|svelte)$/;
const NOTHING: ReadonlySet<string> = new Set();

interface Facts {
  readonly planned: readonly string[];
  readonly tests: ComparedTests;
}

/**
 * For a plan that changes the program, and a change that leaves the program as it is: what it changes in the tests instead.
 * An expected value that the change turns round is told by itself.
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
