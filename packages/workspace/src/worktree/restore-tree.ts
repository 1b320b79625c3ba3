import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { Checkpoint } from '@sluice/core/workspace';
import { GitExit } from '../git/git-failure.ts';
import { commitIdOf, isSavedTreeObject, treeOnParents } from './commit-object.ts';
import { type CommitContext, madeRef } from './commit-tree.ts';
import { putBack, type TreeContext } from './prepare-tree.ts';
import { holdCommit, savedTreeRef, writeCommit } from './save-tree.ts';
import { parentsOf, refuseNestedRepositories, type WorkingTree } from './working-tree.ts';

/*
 * What was kept comes from the database, maybe of another host's making, and counts for nothing until shown to be what it
 * says: the object must have the commit's id and stand on our base, and the patch must give, on the base's tree and in an
 * separate index, exactly the tree which that object names. git itself refuses paths that lead out or into `.git`.
 */

export interface RestoreContext extends Pick<CommitContext, 'tree' | 'cache' | 'issueId' | 'branch' | 'locked'> {
  readonly place: TreeContext;
}

/**
 * Puts the tree to a checkpoint, whose commit is made again where this host has lost it or never had it.
 *
 * @throws AppError `workspace_lost` when neither its commit nor what could make it again is here
 */
export async function restoreTree(context: RestoreContext, checkpoint: Checkpoint, signal: AbortSignal): Promise<void> {
  const { tree, issueId, branch } = context;
  const { commit, object } = checkpoint;
  const treeId = treeOnParents(object, isSavedTreeObject(object) ? [tree.baseCommit] : parentsOf(tree));
  if (treeId === null || commitIdOf(object) !== commit) throw lost(commit, 'it is none on the base of this issue');
  if (!(await isHere(tree, commit, signal))) await makeAgain(tree, { ...checkpoint, treeId }, signal);
  const held = isSavedTreeObject(object)
    ? { ref: savedTreeRef(issueId), commit }
    : { ref: madeRef(issueId, commit), alsoRef: `refs/heads/${branch}`, commit };
  await holdCommit(context, held, signal);
  await putBack(context.place, commit, signal);
}

/** Whether all of a commit is here: a clean-up may have taken some of what no ref held. */
async function isHere(tree: WorkingTree, commit: string, signal: AbortSignal): Promise<boolean> {
  const range = ['--end-of-options', commit, ...parentsOf(tree).map((parent) => `^${parent}`)];
  const { exitCode } = await tree.git.run(['rev-list', '--objects', '--quiet', ...range], {
    at: { gitDir: tree.paths.gitDir },
    answers: [0, 128],
    signal,
  });
  return exitCode === 0;
}

async function makeAgain(
  tree: WorkingTree,
  { commit, object, patch, treeId }: Checkpoint & { treeId: string },
  signal: AbortSignal,
): Promise<void> {
  const indexFile = join(tree.paths.gitDir, `sluice-index-${randomUUID()}`);
  const call = { at: { gitDir: tree.paths.gitDir, indexFile }, signal };
  try {
    await tree.git.run(['read-tree', tree.baseCommit], call);
    if (patch.length > 0) {
      await tree.git
        .run(['apply', '--cached', '--whitespace=nowarn', '-'], { ...call, input: patch })
        .catch((error: unknown) => refuseUnfit(commit, error));
    }
    const { stdout } = await tree.git.run(['write-tree'], call);
    if (stdout.toString('utf8').trim() !== treeId) throw lost(commit, 'its patch does not give its tree');
    await refuseNestedRepositories(tree, treeId, signal);
    if ((await writeCommit(tree, object, signal)) !== commit) throw lost(commit, 'its object has another id');
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

function refuseUnfit(commit: string, error: unknown): never {
  // A refusal that the table knows, such as a full disk, says nothing about the patch.
  if (!(error instanceof AppError && error.cause instanceof GitExit) || error.cause.refusal !== null) throw error;
  throw lost(commit, `its patch does not fit: ${error.message.replace(/\.$/, '')}`, error);
}

function lost(commit: string, why: string, cause?: unknown): AppError {
  const detail = `The checkpoint ${commit.slice(0, 12)} of the working tree cannot be restored here: ${why}.`;
  return new AppError('workspace_lost', { detail }, { cause });
}
