import { randomUUID } from 'node:crypto';
import { copyFile, lstat, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { oneLine } from '@sluice/core/text';
import type { Git } from '../git/git.ts';
import { isGitName } from './confined-path.ts';
import { rawChanges, SUBMODULE } from './raw-changes.ts';
import { readEntries } from './read-entries.ts';
import { bytesOf, placeInTree } from './tree-place.ts';
import { findTraps, findTrapsAbove, type TreeTrap } from './tree-traps.ts';
import type { TreePaths } from './workspace-layout.ts';

/*
 * What commands of the repository left in the tree is hostile until shown otherwise. git never looks for a `.git`
 * here, never enters a nested repository, and never runs a filter: those are defined by configuration, which the
 * tree cannot write. What it would stumble over is found first and refused by name.
 */

export interface WorkingTree {
  readonly git: Git;
  readonly paths: TreePaths;
  readonly baseCommit: string;
  /** The commit that is merged into the base commit; null for other work. */
  readonly mergeCommit: string | null;
  /** Ids of trees that were compared with the base and hold no other submodules. They never change. */
  readonly withoutNested: Set<string>;
}

/** The tree as git would commit it, in a separate index: the real one does not change. */
export interface Snapshot {
  readonly treeId: string;
  readonly indexFile: string;
}

const MAX_NEW_FILES = 10_000;
const MAX_NEW_BYTES = 256 * 1024 * 1024;

/** Tracked and new files that are there, without what is ignored; sorted. */
export async function listFiles(tree: WorkingTree, signal?: AbortSignal): Promise<readonly string[]> {
  await refuseTraps(tree, signal);
  const listing = ['ls-files', '-z', '-s', '-t', '-c', '-d', '-o', '--exclude-standard'];
  const present = new Set<string>();
  const gone = new Set<string>();
  const at = { gitDir: tree.paths.gitDir, workTree: tree.paths.tree };
  for await (const entries of readEntries(tree.git, listing, { at, ...(signal === undefined ? {} : { signal }) })) {
    for (const entry of entries) {
      const path = () => bytesOf(entry.slice(entry.indexOf('\t') + 1)).toString();
      if (entry.startsWith('? ')) present.add(bytesOf(entry.slice(2)).toString());
      else if (entry.startsWith('R ')) gone.add(path());
      else if (entry.startsWith('H ') && !entry.startsWith('H 160000')) present.add(path());
    }
  }
  return [...present].filter((path) => !gone.has(path) && !path.endsWith('/')).sort();
}

/** Folders in which everything is ignored, with a `/` at their end; those alone whose name is text. */
export async function listIgnoredFolders(tree: WorkingTree, signal: AbortSignal): Promise<readonly string[]> {
  const listing = ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'];
  const at = { gitDir: tree.paths.gitDir, workTree: tree.paths.tree };
  const folders: string[] = [];
  for await (const entries of readEntries(tree.git, listing, { at, signal })) {
    const paths = entries.map((entry) => bytesOf(entry).toString());
    folders.push(...paths.filter((path) => path.endsWith('/') && !path.includes('\ufffd')));
  }
  return folders;
}

export const MAX_JUDGED_PATHS = 100; // a plan names fewer files, and no person reads about more

/**
 * The paths among the first hundred that git ignores and does not track. A path that it cannot judge, outside or behind
 * a link, is left out.
 *
 * @throws AppError `workspace_unsafe` where a file that git reads for it is a pipe or the like
 */
export async function listIgnored(tree: WorkingTree, paths: readonly string[]): Promise<readonly string[]> {
  const judged = paths.slice(0, MAX_JUDGED_PATHS);
  if (judged.length === 0) return [];
  await refuseTrapsAbove(tree, judged);
  const at = { gitDir: tree.paths.gitDir, workTree: tree.paths.tree };
  const { stdout, exitCode } = await tree.git.run(['check-ignore', '-z', '--stdin'], {
    at,
    input: judged.join('\0'),
    env: { GIT_LITERAL_PATHSPECS: '0' }, // which this command refuses
    answers: [0, 1, 128],
  });
  if (exitCode === 128 && judged.length > 1) {
    // It stops at one that it cannot judge.
    const each: string[] = [];
    for (const path of judged) each.push(...(await listIgnored(tree, [path])));
    return each;
  }
  return stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '');
}

/**
 * Takes the tree as it is, hands it to `use`, and leaves no trace but objects.
 *
 * @throws AppError `workspace_unsafe` naming what cannot be taken over
 */
export async function withSnapshot<T>(
  tree: WorkingTree,
  signal: AbortSignal,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const at = { gitDir: tree.paths.gitDir, workTree: tree.paths.tree };
  await refuseTraps(tree, signal);
  await refuseUntaken(tree, signal);
  const indexFile = join(tree.paths.gitDir, `sluice-index-${randomUUID()}`);
  try {
    await copyIndex(join(tree.paths.gitDir, 'index'), indexFile);
    await tree.git.run(['add', '-A'], { at: { ...at, indexFile }, signal });
    const { stdout } = await tree.git.run(['write-tree'], { at: { ...at, indexFile }, signal });
    const treeId = stdout.toString('utf8').trim();
    await refuseNestedRepositories(tree, treeId, signal);
    return await use({ treeId, indexFile });
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

/**
 * git looks at whole seconds: of a file that was changed in the second in which the index was written, to as many bytes,
 * it sees that by the index's own time alone. A copy that is younger hides that change.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from); // before it is copied: an older time is on the safe side
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1_000);
  await utimes(to, seconds, seconds);
}

async function refuseTraps(tree: WorkingTree, signal: AbortSignal | undefined): Promise<void> {
  refuseFirst(await findTraps(tree, signal));
}

/**
 * Refuses what git would wait on when it is asked about some paths, without searching the tree.
 *
 * @throws AppError `workspace_unsafe`, as a listing of the tree does
 */
export async function refuseTrapsAbove(tree: WorkingTree, paths: readonly string[]): Promise<void> {
  refuseFirst(await findTrapsAbove(tree.paths.tree, paths));
}

function refuseFirst([trap]: readonly TreeTrap[]): void {
  if (trap !== undefined) throw unsafe(`${trap.what}.`);
}

/** Refuses filled submodules and too many new files, found in one listing of the index and of what is not in it. */
async function refuseUntaken(tree: WorkingTree, signal: AbortSignal): Promise<void> {
  const listing = ['ls-files', '-z', '-s', '-t', '-c', '-o', '--exclude-standard'];
  const at = { gitDir: tree.paths.gitDir, workTree: tree.paths.tree };
  const paths: string[] = [];
  const places: Buffer[] = [];
  for await (const entries of readEntries(tree.git, listing, { at, signal })) {
    for (const listed of entries) {
      if (/^[^?] 160000 /.test(listed)) await refuseFilled(tree, bytesOf(listed.slice(listed.indexOf('\t') + 1)));
      if (!listed.startsWith('? ')) continue;
      const entry = listed.slice(2);
      const path = bytesOf(entry).toString();
      if (path.endsWith('/')) throw nested(path);
      if (path.split('/').some(isGitName)) throw unsafe(`"${path}" would be git's own folder on other systems.`);
      paths.push(path);
      places.push(placeInTree(tree.paths.tree, bytesOf(entry)));
    }
    if (paths.length > MAX_NEW_FILES) {
      throw unsafe(
        `The change adds more than ${MAX_NEW_FILES} files, such as "${paths[0]}": ignore what is made by commands.`,
      );
    }
  }
  let bytes = 0;
  for (const [index, place] of places.entries()) {
    bytes += (await lstat(place).catch(() => null))?.size ?? 0;
    if (bytes > MAX_NEW_BYTES) {
      throw unsafe(
        `The change adds more than ${MAX_NEW_BYTES / 1024 / 1024} MiB, with "${paths[index]}": ignore what is made by commands.`,
      );
    }
  }
}

/**
 * `git add` asks a filled submodule for its status, whatever `diff.ignoreSubmodules` says: a separate process, in
 * that repository, with its configuration and none of our settings. We never fill one, so a filled one must be avoided.
 */
async function refuseFilled(tree: WorkingTree, path: Buffer): Promise<void> {
  const folder = placeInTree(tree.paths.tree, path);
  if (await isThere(placeInTree(folder, '.git'))) throw nested(path.toString());
}

/** Where the index has a submodule. */
export async function listSubmodules(
  tree: Pick<WorkingTree, 'git' | 'paths'>,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const submodules: Buffer[] = [];
  for await (const entries of readEntries(tree.git, ['ls-files', '-z', '-s'], {
    at: { gitDir: tree.paths.gitDir },
    signal,
  })) {
    const found = entries.filter((entry) => entry.startsWith('160000 '));
    submodules.push(...found.map((entry) => bytesOf(entry.slice(entry.indexOf('\t') + 1))));
  }
  return submodules;
}

/**
 * Refuses a tree that has a submodule which its base has not, or has at another commit. One that comes with a merged commit
 * is admitted.
 *
 * @throws AppError `workspace_unsafe`
 */
export async function refuseNestedRepositories(tree: WorkingTree, treeId: string, signal: AbortSignal): Promise<void> {
  if (tree.withoutNested.has(treeId)) return;
  const [ofBase = new Set<string>(), ...ofMerged] = await Promise.all(
    parentsOf(tree).map((parent) => submodulesIn(tree, { parent, treeId }, signal)),
  );
  const found = [...ofBase].find((path) => ofMerged.every((paths) => paths.has(path)));
  if (found !== undefined) throw nested(found);
  tree.withoutNested.add(treeId);
}

/** The parents of a commit that is made of the tree. */
export function parentsOf({ baseCommit, mergeCommit }: WorkingTree): readonly string[] {
  return mergeCommit === null ? [baseCommit] : [baseCommit, mergeCommit];
}

/** The submodules of a tree that its parent has not, or has at another commit. */
async function submodulesIn(
  tree: WorkingTree,
  { parent, treeId }: { parent: string; treeId: string },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const changes = await rawChanges(tree.git, { at: { gitDir: tree.paths.gitDir }, from: parent, to: treeId }, signal);
  return new Set(changes.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => bytesOf(path).toString()));
}

function nested(path: string): AppError {
  return unsafe(`"${path}" is a git repository of its own inside the working tree.`);
}

async function isThere(path: Buffer): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function unsafe(what: string): AppError {
  // A name may hold line breaks, and what comes after one would be taken for the service's own words.
  return new AppError('workspace_unsafe', { detail: oneLine(`The working tree cannot be taken over: ${what}`) });
}
