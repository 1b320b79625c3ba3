import { constants, type Dirent } from 'node:fs';
import { access, chmod, lstat, opendir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Git } from '../git/git.ts';
import { LISTING_BYTES, readEntries } from './read-entries.ts';
import { entriesOf, placeInTree } from './tree-place.ts';
import type { TreePaths } from './workspace-layout.ts';

/** Something in a tree that git must not meet. */
export interface TreeTrap {
  /** Absolute. */
  readonly place: Buffer;
  /** Which path it is and what is wrong with it, as the end of a sentence. */
  readonly what: string;
}

export interface TrappedTree {
  readonly git: Git;
  readonly paths: TreePaths;
}

const MAX_PATH_LENGTH = 2_048; // with the root before it still a path that the system takes; deeper ones can be made step by step
const SHOWN = 200;
/** A command can make a million entries in one folder, so they are read in parts. */
const ENTRIES_PER_READ = 1_024;
/** More than any repository has. Those beyond are searched like other folders. */
const MAX_SKIPPED = 10_000;

/**
 * Finds the pipes and the like that a command left where git looks for `.gitignore` and `.gitattributes`, as git would
 * wait for ever on one, and folders so deep that no path leads there. Opens the folders that a command closed to us, as
 * git would take what is in them for deleted.
 *
 * Installed dependencies are many files, so a `node_modules` is searched only where git goes in: where it holds files
 * of the index or of `commit`, or is not ignored. What ignores it can be asked only of a tree without other traps, so
 * the caller searches again after removing what was found.
 */
export async function findTraps(
  tree: TrappedTree,
  signal: AbortSignal | undefined,
  commit: string | null = null,
): Promise<readonly TreeTrap[]> {
  const top = Buffer.from(tree.paths.tree);
  const skipped: Buffer[] = [];
  const traps = await searchFolders(top, [top], skipped);
  if (traps.length > 0 || skipped.length === 0) return traps;
  const entered = await enteredFolders(tree, { folders: skipped.map((place) => inTree(top, place)), commit }, signal);
  return searchFolders(
    top,
    entered.map((path) => placeInTree(top, Buffer.from(path, 'latin1'))),
    null,
  );
}

/** @param skipped takes the outermost folders named `node_modules`, which are not searched; null: they are */
async function searchFolders(top: Buffer, starts: Buffer[], skipped: Buffer[] | null): Promise<TreeTrap[]> {
  const traps: TreeTrap[] = [];
  const trap = (place: Buffer, why: string): void => {
    traps.push(trapAt(top, place, why));
  };
  const folders = [...starts];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await openFolder(folder)) {
      const place = placeInTree(folder, entry.name);
      const name = entry.name.toString('latin1');
      if (entry.isDirectory()) {
        if (name === '.git') continue;
        if (place.length > top.length + MAX_PATH_LENGTH) trap(place, 'is nested too deeply');
        else if (name === 'node_modules' && skipped !== null && skipped.length < MAX_SKIPPED) skipped.push(place);
        else folders.push(place);
      } else if (/^\.git(attributes|ignore)$/i.test(name) && isWaitedOn(entry)) {
        trap(place, NOT_REGULAR);
      }
    }
  }
  return traps;
}

/** Finds the pipes and the like that git would wait on when it is asked about some paths: in the folders above them alone. */
export async function findTrapsAbove(tree: string, paths: readonly string[]): Promise<readonly TreeTrap[]> {
  const traps: TreeTrap[] = [];
  for (const folder of foldersAbove(paths)) {
    for (const name of ['.gitattributes', '.gitignore']) {
      const place = posix.join(tree, folder, name);
      const found = await lstat(place).catch(() => null);
      if (found !== null && isWaitedOn(found)) {
        traps.push(trapAt(Buffer.from(tree), Buffer.from(place), NOT_REGULAR));
      }
    }
  }
  return traps;
}

/** The folders above some paths, `.` for the root, in which git looks for files when it is asked about the paths. */
export function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths.map((path) => posix.normalize(path))) {
    if (posix.isAbsolute(path) || path.split('/').includes('..')) continue; // git does not answer
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return folders;
}

const NOT_REGULAR = 'is not a regular file';

/** git follows no link in the place of such a file. */
function isWaitedOn(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
}

function trapAt(top: Buffer, place: Buffer, why: string): TreeTrap {
  const path = place.subarray(top.length + 1).toString();
  return { place, what: `"${path.slice(0, SHOWN)}" ${why}` };
}

/** The folders that git enters among some `node_modules`. Paths are Latin-1, relative to the tree. */
async function enteredFolders(
  { git, paths }: TrappedTree,
  question: { folders: readonly string[]; commit: string | null },
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const at = { gitDir: paths.gitDir, workTree: paths.tree };
  const call = { at, maxOutputBytes: LISTING_BYTES, ...(signal === undefined ? {} : { signal }) };
  const listings = [['ls-files', '-s', '-z']];
  if (question.commit !== null)
    listings.push(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', question.commit]);
  const holding = new Set<string>();
  const submodules = new Set<string>();
  for (const listing of listings) {
    for await (const entries of readEntries(git, listing, call)) {
      for (const entry of entries) {
        const path = entry.slice(entry.indexOf('\t') + 1);
        if (entry.startsWith('160000 ')) submodules.add(path);
        const folder = /^(?:.*?\/)?node_modules(?=\/)/s.exec(path)?.[0];
        if (folder !== undefined) holding.add(folder);
      }
    }
  }
  // git goes into no submodule, and refuses to be asked about what lies in one.
  const isInSubmodule = inAnyOf(submodules);
  const folders = question.folders.filter((folder) => !isInSubmodule(folder));
  const { stdout } = await git.run(['check-ignore', '-z', '--stdin', '--no-index'], {
    ...call,
    // With `./` before it no name is taken for a pattern; the command does not know the setting for that.
    env: { GIT_LITERAL_PATHSPECS: '0' },
    input: Buffer.from(folders.map((folder) => `./${folder}\0`).join(''), 'latin1'),
    answers: [0, 1],
  });
  const ignored = new Set(entriesOf(stdout));
  return folders.filter((folder) => holding.has(folder) || !ignored.has(`./${folder}`));
}

/** Tells whether a path lies in one of some folders. Each folder above it is looked up once: there may be many, and deep ones. */
export function inAnyOf(folders: ReadonlySet<string>): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return function isIn(path): boolean {
    const end = path.lastIndexOf('/');
    if (end === -1) return false;
    const folder = path.slice(0, end);
    const answer = known.get(folder) ?? (folders.has(folder) || isIn(folder));
    known.set(folder, answer);
    return answer;
  };
}

function inTree(top: Buffer, place: Buffer): string {
  return place.subarray(top.length + 1).toString('latin1');
}

/** Opens a folder, making it readable and writable first, as git must also be able to delete in it. */
async function openFolder(path: Buffer): Promise<AsyncIterable<Dirent<Buffer>>> {
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => chmod(path, 0o755));
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: ENTRIES_PER_READ };
  // Names are bytes, and not all of them are UTF-8. The types of `opendir` do not know that names can be buffers.
  return (await opendir(path as unknown as string, options)) as unknown as AsyncIterable<Dirent<Buffer>>;
}
