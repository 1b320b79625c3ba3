import type { BlobPlace } from './read-blobs.ts';
import { readEntries } from './read-entries.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  /** Latin-1. */
  readonly path: string;
}

export function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

/** Handled between two turns of the event loop, and by one process of git. */
const BATCH = 10_000;

/** All files, links and submodules of a tree or commit in git's order, some thousand at a time. */
export async function* entriesIn(
  { git, gitDir }: BlobPlace,
  tree: string,
  signal: AbortSignal,
): AsyncGenerator<readonly TreeEntry[]> {
  const listing = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree];
  let batch: TreeEntry[] = [];
  for await (const entries of readEntries(git, listing, { at: { gitDir }, signal })) {
    for (const entry of entries) {
      const [, mode, id, path] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      if (mode !== undefined && id !== undefined && path !== undefined) batch.push({ mode, id, path });
    }
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
