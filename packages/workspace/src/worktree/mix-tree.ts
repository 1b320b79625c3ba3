import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MixedTree } from '@sluice/core';
import { putBack, type TreeContext } from './prepare-tree.ts';

const BETWEEN = ['--raw', '-r', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
const SUBMODULE = '160000';
const CHANGED = /^:(\d+) (\d+) [0-9a-f]+ ([0-9a-f]+) \w+$/;

/**
 * Puts the tree to one commit with some paths of another. Both commits are trusted: they were admitted when they were
 * checked out. Only what differs between them is looked at.
 */
export async function mixTree(context: TreeContext, mixed: MixedTree, signal: AbortSignal): Promise<void> {
  const { git, paths } = context;
  const indexFile = join(paths.gitDir, `sluice-index-${randomUUID()}`);
  const at = { gitDir: paths.gitDir, indexFile };
  try {
    const { stdout } = await git.run(['diff-tree', ...BETWEEN, mixed.commit, mixed.from], { at, signal });
    await git.run(['read-tree', mixed.commit], { at, signal });
    const input = entriesToTake(stdout, new Set(mixed.paths));
    await git.run(['update-index', '-z', '--index-info'], { at, input, signal });
    const { stdout: tree } = await git.run(['write-tree'], { at, signal });
    await putBack(context, tree.toString('utf8').trim(), signal);
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

/** Entries for `update-index --index-info`: `mode id TAB path`; the mode 0 removes a path. Names are bytes, not text. */
function entriesToTake(raw: Buffer, paths: ReadonlySet<string>): Buffer {
  const parts = raw.toString('latin1').split('\0');
  const taken: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, before, mode, id] = CHANGED.exec(parts[at] ?? '') ?? [];
    const path = parts[at + 1] ?? '';
    if (mode === undefined || before === SUBMODULE || mode === SUBMODULE) continue;
    if (paths.has(Buffer.from(path, 'latin1').toString('utf8')))
      taken.push(`${mode === '000000' ? '0' : mode} ${id}\t${path}\0`);
  }
  return Buffer.from(taken.join(''), 'latin1');
}
