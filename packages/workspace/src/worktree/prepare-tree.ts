import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { Git } from '../git/git.ts';
import { confine } from './confined-path.ts';
import { isPresent } from './is-present.ts';
import { isLeftOfAttributes } from './lfs-attributes.ts';
import type { Trash } from './trash.ts';
import type { TreeGuard } from './tree-guard.ts';
import { giveTree } from './tree-owner.ts';
import { findTraps } from './tree-traps.ts';
import { listSubmodules } from './working-tree.ts';
import type { TreePaths } from './workspace-layout.ts';

/*
 * A tree is made in steps, and a process may die between any two: `git worktree add` (under the repository's lock),
 * the checkout (outside of it: it takes seconds, the rest milliseconds), the change of owner, and the mark that says
 * all of it is done. A tree without the mark is thrown away and made again; with it, it is kept with whatever work
 * it holds, and only small things are repaired.
 */

export interface TreeContext {
  readonly git: Git;
  readonly trash: Trash;
  readonly paths: TreePaths;
  readonly cache: string;
  readonly branch: string;
  readonly uid: number | null;
  readonly checkoutTimeoutMs: number;
  readonly guard: TreeGuard;
}

/** Holds the base commit of a tree that is whole, and the tree's own id. In the git directory, where no command can write. */
const READY = 'sluice-ready';
/** Holds the commit to which a tree is being put back, as long as it is. */
const RESETTING = 'sluice-resetting';

/**
 * Under the repository's lock: finds a whole tree on this base, or puts an empty one in its place.
 *
 * @returns whether the tree is whole; if not, `fillTree` comes next
 */
export async function placeTree(context: TreeContext, base: string, signal: AbortSignal): Promise<boolean> {
  if (await isWhole(context, base)) return true;
  const { git, trash, paths, cache, branch } = context;
  await trash.take(paths.tree);
  await trash.take(paths.gitDir);
  await git.run(['worktree', 'add', '-q', '--no-checkout', '--detach', '--', paths.tree, base], {
    at: { gitDir: cache },
    signal,
  });
  // Not by `worktree add -B`: the tree of the issue that a follow-up goes on from may still be there, on the same branch.
  await git.run(['update-ref', `refs/heads/${branch}`, base], { at: { gitDir: cache }, signal });
  // The clone's own mode hands its group down to new folders, which a repository's tests may trip over.
  await chmod(paths.tree, 0o755);
  // git gives the entry another name when one of this name is there: then the cache is not what we believe it is.
  if (!(await isPresent(join(paths.gitDir, 'HEAD')))) {
    throw new AppError('git_failed', { detail: 'The working tree could not be registered with its clone.' });
  }
  await git.run(['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { at: { gitDir: paths.gitDir }, signal });
  return false;
}

/** Outside the lock: checks the files out, gives them to the user, and marks the tree as whole. */
export async function fillTree(context: TreeContext, base: string, signal: AbortSignal): Promise<void> {
  const { git, paths, guard } = context;
  try {
    await guard.admitInto(paths.tree, { git, gitDir: paths.gitDir, commit: base, signal });
    await checkOut(context, base, signal);
    await handOver(context, signal);
    await writeFile(join(paths.gitDir, READY), `${base} ${randomUUID()}`);
  } catch (error) {
    // Half a tree is of no use to anybody, and what filled the disk must not stay.
    await context.trash.remove(paths.tree);
    throw error;
  }
}

/** The id of a complete tree. It lies beside the tree and is removed with it: a tree that is made again gets a new id. */
export async function readTreeId({ paths }: TreeContext): Promise<string> {
  const { id } = await readMark(paths.gitDir);
  if (id === undefined) throw new AppError('git_failed', { detail: 'The working tree was removed meanwhile.' });
  return id;
}

async function readMark(gitDir: string): Promise<{ base?: string | undefined; id?: string | undefined }> {
  const [base, id] = (await readFile(join(gitDir, READY), 'utf8').catch(() => '')).split(' ');
  return { base, id };
}

/** Sets right what a killed process or the repository's own commands may have left in a whole tree. */
export async function repairTree(context: TreeContext, base: string, signal: AbortSignal): Promise<void> {
  const { git, paths, branch } = context;
  for (const name of await readdir(paths.gitDir)) {
    if (name.endsWith('.lock') || name.startsWith('sluice-index-') || isLeftOfAttributes(name)) {
      await rm(join(paths.gitDir, name), { recursive: true, force: true });
    }
  }
  const at = { gitDir: paths.gitDir };
  const head = await readFile(join(paths.gitDir, 'HEAD'), 'utf8').catch(() => '');
  if (head !== `ref: refs/heads/${branch}\n`)
    await git.run(['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { at, signal });
  // Reads all of the index and lists nothing: no index holds a `.git`, and a list of every file may take 256 MiB.
  const readable = await git.run(['ls-files', '-z', '--', '.git'], { at, answers: [0, 128], signal });
  if (readable.exitCode !== 0 || !(await isPresent(join(paths.gitDir, 'index')))) {
    await rm(join(paths.gitDir, 'index'), { force: true });
    await git.run(['read-tree', base], { at, signal });
  }
  await restoreGitFile(context);
  const target = await readFile(join(paths.gitDir, RESETTING), 'utf8').catch(() => null);
  if (target !== null) await putBack(context, target === '' ? base : target, signal);
  else await handOver(context, signal);
}

/**
 * Puts the tree back to a commit and removes what is untracked. What is ignored stays: installed dependencies are
 * not to be lost. One that a kill interrupts is finished by `repairTree`.
 */
export async function putBack(context: TreeContext, commit: string, signal: AbortSignal): Promise<void> {
  const { git, paths } = context;
  const { submodules } = await context.guard.admit({ git, gitDir: paths.gitDir, commit, signal });
  const mark = join(paths.gitDir, RESETTING);
  const wasInterrupted = await isPresent(mark);
  await writeFile(mark, commit);
  await restoreGitFile(context);
  await removeTraps(context, commit, signal);
  const before = await indexSum(paths.gitDir);
  const hasRemoved = await removeUntracked(context, signal);
  await checkOut(context, commit, signal);
  // The index holds when each file was last changed, so a checkout that wrote any gives another one.
  const isAsBefore = !hasRemoved && before !== null && before === (await indexSum(paths.gitDir));
  // What has changed, such as a `.gitignore`, or a file that replaced a folder, may have hidden something before.
  if (!isAsBefore) await removeUntracked(context, signal);
  const hasEmptied = submodules > 0 && (await emptySubmodules(context, signal));
  if (!isAsBefore || hasEmptied || wasInterrupted) await handOver(context, signal);
  await rm(mark, { force: true });
}

/** @returns whether there was anything untracked */
async function removeUntracked({ git, paths }: TreeContext, signal: AbortSignal): Promise<boolean> {
  const { stdout, done } = git.stream(['clean', '-ffd'], {
    at: { gitDir: paths.gitDir, workTree: paths.tree },
    signal,
  });
  let bytes = 0;
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await done;
  return bytes > 0;
}

const SUM_BYTES = 20;

/** The checksum at the end of an index, which is one of all that is in it; null when there is none. */
async function indexSum(gitDir: string): Promise<string | null> {
  const index = await open(join(gitDir, 'index')).catch(() => null);
  if (index === null) return null;
  try {
    const { size } = await index.stat();
    const { buffer } = await index.read(Buffer.alloc(SUM_BYTES), 0, SUM_BYTES, Math.max(0, size - SUM_BYTES));
    return buffer.toString('hex');
  } finally {
    await index.close();
  }
}

/** In `node_modules` they are found only when there is none elsewhere. */
async function removeTraps(context: TreeContext, commit: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const traps = await findTraps(context, signal, commit);
    if (traps.length === 0) return;
    for (const { place } of traps) {
      signal.throwIfAborted();
      await context.trash.take(place);
    }
  }
}

/** Gives the files to the user, which changes their recorded state in the index, so the index is refreshed. */
async function handOver(context: TreeContext, signal: AbortSignal): Promise<void> {
  const { git, paths } = context;
  await giveTree(paths.tree, context.uid, signal);
  if ((await findTraps(context, signal)).length > 0) return;
  await git.run(['update-index', '-q', '--ignore-submodules', '--refresh'], {
    at: { gitDir: paths.gitDir, workTree: paths.tree },
    timeoutMs: context.checkoutTimeoutMs,
    answers: [0, 1],
    signal,
  });
}

/**
 * git leaves alone what was put into a submodule's folder, which then could never be taken over.
 *
 * @returns whether there was anything in one
 */
async function emptySubmodules(context: TreeContext, signal: AbortSignal): Promise<boolean> {
  const root = context.paths.tree;
  let hasEmptied = false;
  for (const path of await listSubmodules(context, signal)) {
    signal.throwIfAborted();
    // A folder above may be a link that leads out: then it is no submodule's.
    const place = await confine({ root }, path.toString()).catch(() => null);
    const found = place === null ? null : await lstat(place.full).catch(() => null);
    if (place === null || found?.isDirectory() !== true || (await readdir(place.full)).length === 0) continue;
    await context.trash.take(place.full);
    await mkdir(place.full);
    hasEmptied = true;
  }
  return hasEmptied;
}

/** The `.git` file is for commands in the tree; we never follow it. One that was replaced is put back. */
async function restoreGitFile(context: TreeContext): Promise<void> {
  const { paths, trash } = context;
  const file = join(paths.tree, '.git');
  const content = `gitdir: ${paths.gitDir}\n`;
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() === true && found.size < 4_096 && (await readFile(file, 'utf8')) === content) return;
  if (found !== null) await trash.take(file);
  await writeFile(file, content, { flag: 'wx', mode: 0o644 });
}

/** Not `reset --hard`: that would move the branch as well, which is done under the repository's lock alone. */
async function checkOut(context: TreeContext, commit: string, signal: AbortSignal): Promise<void> {
  const { git, paths } = context;
  await git.run(['read-tree', '--reset', '-u', '--end-of-options', commit], {
    at: { gitDir: paths.gitDir, workTree: paths.tree },
    timeoutMs: context.checkoutTimeoutMs,
    fills: paths.tree,
    signal,
  });
}

/** The base has just been found in the cache. */
async function isWhole({ paths }: TreeContext, base: string): Promise<boolean> {
  const marked = await readMark(paths.gitDir);
  if (marked.base !== base || marked.id === undefined || !(await isFolder(paths.tree))) return false;
  return basename(paths.tree) === basename(paths.gitDir);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true;
}
