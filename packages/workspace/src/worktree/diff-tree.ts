import type { WorkspaceDiff } from '@sluice/core/workspace';
import type { MergedTree } from './merge-trees.ts';
import { besideIndex, readDiff } from './read-diff.ts';
import type { WorkingTree } from './working-tree.ts';

/** Largest patch that is kept; the list of files is always whole. */
const MAX_PATCH_BYTES = 4 * 1024 * 1024;

// Its own `.gitmodules` can ask that what becomes of a submodule is told to nobody: so `--ignore-submodules=none`, here and
// wherever trees are compared.
const BETWEEN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=none', '-r'];

type Change = Pick<WorkspaceDiff, 'files' | 'diff'>;

/**
 * The change from the base commit to a tree. Compares objects, so nothing of the working tree is looked at; a binary
 * file shows as one line, and text that is not UTF-8 with replacement characters.
 */
export async function diffTree(tree: WorkingTree, treeId: string, signal: AbortSignal): Promise<Change> {
  return await diffOf(tree, [tree.baseCommit, treeId], signal);
}

/**
 * The changes in a tree beyond git's own merge: the files in conflict and those that differ from git's result, each
 * compared with the base commit. A file in which the branch won counts too, with no lines.
 */
export async function diffMerge(
  tree: WorkingTree,
  { treeId, merged }: { readonly treeId: string; readonly merged: MergedTree },
  signal: AbortSignal,
): Promise<Change> {
  const range = ['-z', '--name-only', ...BETWEEN, merged.treeId, treeId];
  const { stdout } = await tree.git.run(['diff-tree', ...range], { at: besideIndex(tree), signal });
  const differing = stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
  const paths = [...new Set([...merged.conflicts.map(({ path }) => path), ...differing])].sort();
  if (paths.length === 0) return { files: [], diff: '' };
  const { files, diff } = await diffOf(tree, [tree.baseCommit, treeId, '--', ...paths], signal);
  const counted = new Map(files.map((file) => [file.path, file]));
  return { files: paths.map((path) => counted.get(path) ?? { path, additions: 0, deletions: 0 }), diff };
}

async function diffOf(tree: WorkingTree, range: readonly string[], signal: AbortSignal): Promise<Change> {
  const at = besideIndex(tree);
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
