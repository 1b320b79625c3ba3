import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MixedTree } from '@sluice/core/workspace';
import { putBack, type TreeContext } from './prepare-tree.ts';
import { indexEntries, rawChanges, SUBMODULE } from './raw-changes.ts';
import { bytesOf } from './tree-place.ts';

/**
 * Puts the tree to one commit with some paths of another. Both commits are trusted: they were admitted when they were
 * checked out. Only what differs between them is looked at.
 */
export async function mixTree(context: TreeContext, mixed: MixedTree, signal: AbortSignal): Promise<void> {
  const { git, paths: places } = context;
  const indexFile = join(places.gitDir, `sluice-index-${randomUUID()}`);
  const at = { gitDir: places.gitDir, indexFile };
  try {
    const paths = new Set(mixed.paths);
    const taken = (await rawChanges(git, { at, from: mixed.commit, to: mixed.from }, signal)).filter(
      ({ path, mode, modeBefore }) =>
        mode !== SUBMODULE && modeBefore !== SUBMODULE && paths.has(bytesOf(path).toString()),
    );
    await git.run(['read-tree', mixed.commit], { at, signal });
    await git.run(['update-index', '-z', '--index-info'], { at, input: indexEntries(taken), signal });
    const { stdout: tree } = await git.run(['write-tree'], { at, signal });
    await putBack(context, tree.toString('utf8').trim(), signal);
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}
