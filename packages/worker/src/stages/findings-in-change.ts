import type { Finding } from '@sluice/core/change';
import { plannedFiles } from '@sluice/core/pipeline';
import type { CountedPaths, LfsChange } from '@sluice/core/workspace';
import { isJudgedFile } from '@sluice/test-integrity';
import type { StageContext } from '../stage/stage-context.ts';
import { changedFiles } from '../workspace/changed-files.ts';
import type { CommittedChange } from '../workspace/implementation-commit.ts';
import { currentPlan } from './current-plan.ts';

/**
 * Compares a change with the base. What cannot be compared is a finding itself: size must hide nothing from the person who
 * approves the publication.
 */
export async function findingsInChange(
  stage: StageContext<'runs' | 'commands'>,
  change: CommittedChange,
): Promise<readonly Finding[]> {
  const { deps, execution, signal } = stage;
  const workspace = await stage.workspace();
  const { files, leftOut } = await changedFiles(workspace, change, { first: isJudgedFile, signal });
  const planned = plannedFiles(currentPlan(execution.issue()));
  const found = await deps.commands.findings({ files, planned }, signal);
  return [
    ...(found ?? notCompared([...files, ...change.files].map(({ path }) => path).slice(0, 1), TOO_SLOW)),
    ...notCompared(leftOut.filter(isJudgedFile), TOO_LARGE),
    ...lfsFindings(await workspace.lfsChange(change.head_commit, signal)),
  ];
}

/** Findings for files in Git LFS: their content is not here and cannot be compared, so a person decides. */
function lfsFindings({ newPointers, released, attributes }: LfsChange): Finding[] {
  return [
    ...attributes.first.map((path) => ofLfs(path, ATTRIBUTES_CHANGED)),
    ...firstOf(released, RELEASED),
    ...newPointers.first.map((path) => ofLfs(path, NEW_POINTER)),
    ...(newPointers.count > newPointers.first.length ? firstOf(newPointers, NEW_POINTER) : []),
  ];
}

/** One finding for all of some paths. */
function firstOf({ first: [path], count }: CountedPaths, detail: string): Finding[] {
  if (path === undefined) return [];
  const more = count === 1 ? '' : ` The same holds for ${count - 1} more.`;
  return [ofLfs(path, `${detail}${more}`)];
}

function ofLfs(path: string, detail: string): Finding {
  return { kind: 'not_compared', path, line: null, detail };
}

const ATTRIBUTES_CHANGED = 'The file decides what Git LFS stores, and it is changed: see the diff.';
const RELEASED = 'The file leaves Git LFS with this change: checkouts get the text of its pointer.';
const NEW_POINTER =
  'The file is a pointer of Git LFS to an object that no pointer at the base names. Unless somebody has uploaded that, checkouts fail.';

const TOO_SLOW = 'The change was not compared with the base, because that took too much time';
const TOO_LARGE = 'Not compared with the base, because it is too large or no longer text';

function notCompared([path, ...others]: readonly string[], why: string): Finding[] {
  if (path === undefined) return [];
  const more = others.length === 0 ? '' : ` (as are ${others.length} more files of tests, checks and recorded output)`;
  return [{ kind: 'not_compared', path, line: null, detail: `${why}${more}: see the diff.` }];
}
