import { type Finding, isJudgedFile, plannedFiles } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';
import { changedFiles } from '../workspace/changed-files.ts';
import type { CommittedChange } from '../workspace/implementation-commit.ts';
import { currentPlan } from './approved-plan.ts';

/**
 * Compares a change with the base. What cannot be compared is a finding itself: size must hide nothing from the person who
 * approves the publication.
 */
export async function findingsInChange(
  stage: StageContext<'runs' | 'commands'>,
  change: CommittedChange,
): Promise<readonly Finding[]> {
  const { deps, execution, signal } = stage;
  const { files, leftOut } = await changedFiles(await stage.workspace(), change, { first: isJudgedFile, signal });
  const planned = plannedFiles(currentPlan(execution.issue()));
  const found = await deps.commands.findings({ files, planned }, signal);
  return [
    ...(found ?? notCompared([...files, ...change.files].map(({ path }) => path).slice(0, 1), TOO_SLOW)),
    ...notCompared(leftOut.filter(isJudgedFile), TOO_LARGE),
  ];
}

const TOO_SLOW = 'The change was not compared with the base, because that took too much time';
const TOO_LARGE = 'Not compared with the base, because it is too large or no longer text';

function notCompared([path, ...others]: readonly string[], why: string): Finding[] {
  if (path === undefined) return [];
  const more = others.length === 0 ? '' : ` (as are ${others.length} more files of tests, checks and recorded output)`;
  return [{ kind: 'not_compared', path, line: null, detail: `${why}${more}: see the diff.` }];
}
