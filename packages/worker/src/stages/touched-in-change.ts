import { isJudgedFile, losesTests, NOTHING_TOUCHED, type TestRun, type TouchedTests } from '@sluice/core';
import type { TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { changedFiles } from '../workspace/changed-files.ts';
import { committedChange } from '../workspace/implementation-commit.ts';
import type { TestRuns } from './test-runs.ts';

/**
 * What the change does to tests in the sources, where fewer of them ran with it: only then does it matter. Where it could not
 * be found out, nothing is explained by it.
 */
export async function touchedInChange(
  stage: StageContext<TestPorts>,
  { change, head }: TestRuns,
  base: TestRun | null,
): Promise<TouchedTests> {
  if (base === null || !losesTests(head.run, base)) return NOTHING_TOUCHED;
  const { deps, signal } = stage;
  const workspace = await stage.workspace();
  await workspace.restore(change, signal); // the tests may have written to it
  const { files, leftOut } = await changedFiles(workspace, await committedChange(stage), {
    first: isJudgedFile,
    signal,
  });
  if (leftOut.some(isJudgedFile)) return { titles: null, more: null };
  return (await deps.commands.touchedTests(files, signal)) ?? NOTHING_TOUCHED;
}
