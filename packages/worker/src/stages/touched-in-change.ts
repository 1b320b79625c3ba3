import { NOTHING_TOUCHED, type TestRun, type TouchedTests } from '@sluice/core/pipeline';
import { isJudgedFile } from '@sluice/test-integrity';
import type { TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { changedFiles } from '../workspace/changed-files.ts';
import { committedChange } from '../workspace/implementation-commit.ts';
import type { TestRuns } from './test-runs.ts';
import { losesTests } from './verdict/missing-tests.ts';

/**
 * The change's effect on tests in the sources, where fewer of them ran with it: only then does it matter. Where reading
 * took too long, it explains nothing; where a file is too large, it may explain anything, and the finding
 * `not_compared` asks a person.
 */
export async function touchedWhereLost(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  base: TestRun | null,
): Promise<TouchedTests> {
  if (base === null || !losesTests(runs.head.run, base)) return NOTHING_TOUCHED;
  return (await touchedInChange(stage, runs, () => true)) ?? NOTHING_TOUCHED;
}

/** The change's effect on the tests in some of its files; null where reading took too long. */
export async function touchedInChange(
  stage: StageContext<TestPorts>,
  { change }: TestRuns,
  isAsked: (path: string) => boolean,
): Promise<TouchedTests | null> {
  const { deps, signal } = stage;
  const workspace = await stage.workspace();
  await workspace.restore(change, signal); // the tests may have written to it
  const { files, leftOut } = await changedFiles(workspace, await committedChange(stage), {
    first: isJudgedFile,
    signal,
  });
  if (leftOut.some((path) => isJudgedFile(path) && isAsked(path))) return { titles: null, more: null };
  return deps.commands.touchedTests(
    files.filter(({ path }) => isAsked(path)),
    signal,
  );
}
