import type { WorkspaceDiff } from '@sluice/core';
import type { WorkingTree } from './working-tree.ts';

/** Largest patch that is kept; the list of files is always whole. */
const MAX_PATCH_BYTES = 4 * 1024 * 1024;

const BETWEEN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '-r'];

/**
 * The change from the base commit to a tree. Compares objects, so nothing of the working tree is looked at; a binary
 * file shows as one line, and text that is not UTF-8 with replacement characters.
 */
export async function diffTree(
  tree: WorkingTree,
  treeId: string,
  signal: AbortSignal,
): Promise<Pick<WorkspaceDiff, 'files' | 'diff'>> {
  const at = { gitDir: tree.paths.gitDir };
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
  const call = { at: { gitDir: tree.paths.gitDir }, signal };
  const stream = tree.git.stream(['diff-tree', '-p', ...BETWEEN, ...range], call);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_PATCH_BYTES) break;
  }
  if (bytes <= MAX_PATCH_BYTES) {
    await stream.done;
    return Buffer.concat(chunks).toString('utf8');
  }
  stream.stop();
  const head = Buffer.concat(chunks).subarray(0, MAX_PATCH_BYTES).toString('utf8');
  // Whole files only, so that what is shown is still a patch.
  const cut = head.lastIndexOf('\ndiff --git ') + 1;
  return `${head.slice(0, cut)}# The rest is not shown: the patch is larger than ${MAX_PATCH_BYTES / 1024 / 1024} MiB.\n`;
}
