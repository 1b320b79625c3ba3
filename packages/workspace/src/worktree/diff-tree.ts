import type { WorkspaceDiff } from '@sluice/core';
import { besideIndex, readDiff } from './read-diff.ts';
import type { WorkingTree } from './working-tree.ts';

/** Largest patch that is kept; the list of files is always whole. */
const MAX_PATCH_BYTES = 4 * 1024 * 1024;

// Its own `.gitmodules` can ask that what becomes of a submodule is told to nobody: so `--ignore-submodules=none`, here and
// wherever trees are compared.
const BETWEEN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=none', '-r'];

/**
 * The change from the base commit to a tree. Compares objects, so nothing of the working tree is looked at; a binary
 * file shows as one line, and text that is not UTF-8 with replacement characters.
 */
export async function diffTree(
  tree: WorkingTree,
  treeId: string,
  signal: AbortSignal,
): Promise<Pick<WorkspaceDiff, 'files' | 'diff'>> {
  const at = besideIndex(tree);
  const range = [tree.baseCommit, treeId];
  const { stdout } = await tree.git.run(['diff-tree', '-z', '--numstat', ...BETWEEN, ...range], { at, signal });
  const files = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map(readNumstat);
  return { files, diff: await readPatch(tree, range, signal) };
}

/** `additions TAB deletions TAB path`, with `-` for a binary file. */
function readNumstat(entry: string): WorkspaceDiff['files'][number] {
  const [additions = '', deletions = '', ...path] = entry.split('\t');
  return { path: path.join('\t'), additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
}

async function readPatch(tree: WorkingTree, range: readonly string[], signal: AbortSignal): Promise<string> {
  const { bytes, isWhole } = await readDiff(
    tree,
    { arguments: ['-p', ...BETWEEN, ...range], limit: MAX_PATCH_BYTES },
    signal,
  );
  const text = bytes.toString('utf8');
  if (isWhole) return text;
  // Whole files only, so that what is shown is still a patch.
  const cut = text.lastIndexOf('\ndiff --git ') + 1;
  return `${text.slice(0, cut)}# The rest is not shown: the patch is larger than ${MAX_PATCH_BYTES / 1024 / 1024} MiB.\n`;
}
