import type { Checkpoint } from '@sluice/core/workspace';
import { readDiff } from './read-diff.ts';
import type { WorkingTree } from './working-tree.ts';

/**
 * Largest patch that is kept. It is a row of the database, written again each turn and held in memory completely: a change of
 * source code is a thousandth of this, and what is larger was made by a command and can be made again.
 */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

const WHOLE = [
  '-p',
  '-r',
  '--binary',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--ignore-submodules=none',
];

/** The change from the base commit to a tree, from which `git apply` makes that tree again. Null when it is too large. */
export async function readPatch(tree: WorkingTree, treeId: string, signal: AbortSignal): Promise<Buffer | null> {
  const range = [tree.baseCommit, treeId];
  const { bytes, isWhole } = await readDiff(tree, { arguments: [...WHOLE, ...range], limit: MAX_KEPT_BYTES }, signal);
  return isWhole ? bytes : null;
}

/** A commit on the base with all that another host needs to make it again; its patch is empty when it is too large. */
export async function readCheckpoint(tree: WorkingTree, commit: string, signal: AbortSignal): Promise<Checkpoint> {
  const [object, patch] = await Promise.all([
    tree.git.run(['cat-file', 'commit', commit], { at: { gitDir: tree.paths.gitDir }, signal }),
    readPatch(tree, commit, signal),
  ]);
  return { commit, object: object.stdout.toString('utf8'), patch: patch ?? Buffer.alloc(0) };
}
