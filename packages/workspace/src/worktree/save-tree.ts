import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint } from '@sluice/core/workspace';
import { savedTreeObject } from './commit-object.ts';
import type { CommitContext } from './commit-tree.ts';
import { readPatch } from './read-patch.ts';
import { withSnapshot } from './working-tree.ts';

/** The ref of the newest tree that was kept for an issue. The ones before it go with the clone's next clean-up. */
export function savedTreeRef(issueId: string): string {
  return `refs/sluice/kept/${issueId}`;
}

/**
 * Keeps the tree as it stands as a commit on the base; branch, index and files stay as they are. The same tree gives the
 * same commit, on every host. Null when the change is too large to be kept.
 */
export async function saveTree(
  context: Pick<CommitContext, 'tree' | 'cache' | 'issueId' | 'locked'>,
  signal: AbortSignal,
): Promise<Checkpoint | null> {
  const { tree, issueId } = context;
  return withSnapshot(tree, signal, async ({ treeId }) => {
    const patch = await readPatch(tree, treeId, signal);
    if (patch === null) return null;
    const object = savedTreeObject(treeId, tree.baseCommit);
    const commit = await writeCommit(tree, object, signal);
    await holdCommit(context, { ref: savedTreeRef(issueId), commit }, signal);
    return { commit, object, patch };
  });
}

/** Writes a commit object as it is. @returns its id */
export async function writeCommit(tree: CommitContext['tree'], object: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await tree.git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], {
    at: { gitDir: tree.paths.gitDir },
    input: object,
    signal,
  });
  return stdout.toString('utf8').trim();
}

/** Lets a ref name a commit, and `alsoRef` with it, unless it does already. */
export async function holdCommit(
  { tree, cache, locked }: Pick<CommitContext, 'tree' | 'cache' | 'locked'>,
  held: { ref: string; commit: string; alsoRef?: string },
  signal: AbortSignal,
): Promise<void> {
  const at = { gitDir: tree.paths.gitDir };
  // A ref that was written since the last clean-up is a file; for another one the write is repeated, which does no harm.
  const noted = await readFile(join(cache, held.ref), 'utf8').catch(() => '');
  if (noted.trim() === held.commit) return;
  const refs = [held.ref, ...(held.alsoRef === undefined ? [] : [held.alsoRef])];
  const input = refs.map((ref) => `update ${ref} ${held.commit}\n`).join('');
  await locked(signal, () => tree.git.run(['update-ref', '--stdin'], { at, input, signal }));
}
