import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { AppError } from '@sluice/core/error';
import { isLfsPointer, MAX_LFS_POINTER_BYTES } from '@sluice/core/workspace';
import { byteSize } from '../git/byte-size.ts';
import type { Git, GitCall, GitPlace } from '../git/git.ts';
import { indexEntries, rawChanges } from './raw-changes.ts';
import { type BlobPlace, MAX_BLOB_BYTES, readBlobs } from './read-blobs.ts';
import { LISTING_BYTES, readEntries } from './read-entries.ts';
import { bytesOf, placeInTree } from './tree-place.ts';
import { foldersAbove } from './tree-traps.ts';

/*
 * git itself says what attributes mean: nested files, macros, `-filter` and `!filter`. But it reads them in two ways, and these
 * differ. In the index or a tree, a byte order mark belongs to the first line, a NUL ends the file, and a carriage return counts
 * to the length of a line. In the files of a checkout none of that holds, and `working-tree-encoding` may have changed all of
 * the text. A link is read as the text of its target in an index alone. Users of a repository meet both: git reads an index when
 * it checks files out, and files when it adds them. So every question is asked in both ways, of the same files of attributes, and
 * a path is stored by Git LFS if one of the answers says so.
 */

/** Where the objects of a tree are, and where git may write for a moment. */
export interface AttributesPlace extends BlobPlace {
  /** The folder of the clone's objects. */
  readonly objects: string;
}

/** git knows the tree without files by its id. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const ATTRIBUTES = '.gitattributes';
/** The text without which no attributes, macros included, let Git LFS store anything. */
const LFS_FILTER = 'filter=lfs';
/** The text without which a file of attributes has the same letters in a checkout as in the tree. */
const ENCODED = 'working-tree-encoding';
/** git ignores a larger file of attributes. */
const MAX_FILE_BYTES = 100 * 1024 ** 2;
/** Each of them is written to the disk for a moment. No repository has a tenth of that. */
const MAX_FILES = 10_000;

/**
 * The files and links of attributes in a tree, as text by which two trees can be compared; null if none of them names Git LFS.
 *
 * @throws AppError `repo_too_large` for more of them than anybody writes
 */
export async function attributesOf(place: AttributesPlace, tree: string, signal: AbortSignal): Promise<Buffer | null> {
  const { git, gitDir } = place;
  const patterns = [`:(glob)**/${ATTRIBUTES}`];
  const found = await rawChanges(git, { at: { gitDir }, from: EMPTY_TREE, to: tree, patterns }, signal);
  const files = found.filter(({ mode, path }) => /^1[02]0/.test(mode) && posix.basename(path) === ATTRIBUTES);
  if (files.length === 0) return null;
  const ids = [...new Set(files.map(({ id }) => id))];
  const sizes = await blobSizes(place, ids, signal);
  const bytes = files.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
  if (files.length > MAX_FILES || bytes > MAX_BLOB_BYTES) throw tooMany();
  const attributes = indexEntries(files);
  let isEncoded = false;
  for await (const { content } of readBlobs(place, ids, signal)) {
    if (content.includes(LFS_FILTER)) return attributes;
    isEncoded ||= content.includes(ENCODED);
  }
  const paths = files.map(({ path }) => path);
  return isEncoded && (await nameLfsCheckedOut(place, { attributes, paths }, signal)) ? attributes : null;
}

function tooMany(): AppError {
  const detail = `The repository has more attributes than can be judged: more than ${MAX_FILES} .gitattributes files, or ${byteSize(MAX_BLOB_BYTES)} of them. Join them in files of folders further up.`;
  return new AppError('repo_too_large', { detail });
}

async function nameLfsCheckedOut(
  place: AttributesPlace,
  { attributes, paths }: AskedPaths & { readonly attributes: Buffer },
  signal: AbortSignal,
): Promise<boolean> {
  return await inRepository(place, async (repository) => {
    await checkOut(place.git, repository, { attributes, signal });
    for (const path of paths) {
      const file = placeInTree(repository.workTree, bytesOf(path));
      if ((await lstat(file)).isFile() && (await readFile(file)).includes(LFS_FILTER)) return true;
    }
    return false;
  });
}

interface AskedPaths {
  /** Latin-1, and relative to the root; none of them leads out of it. */
  readonly paths: readonly string[];
}

/** The paths, of some, that Git LFS stores by attributes that `attributesOf` gave; none for null. */
export type PathsInLfs = (attributes: Buffer | null, paths: readonly string[]) => Promise<ReadonlySet<string>>;

/** Answers questions about attributes, as many as `use` has. What they need is on the disk until it ends. */
export async function askAttributes<T>(
  place: AttributesPlace,
  signal: AbortSignal,
  use: (pathsInLfs: PathsInLfs) => Promise<T>,
): Promise<T> {
  return await inRepository(place, async (home) => {
    const known: { readonly attributes: Buffer; readonly made: Promise<Repository> }[] = [];
    const make = async (attributes: Buffer): Promise<Repository> => {
      const workTree = join(home.workTree, String(known.length));
      const repository = { ...home, workTree, indexFile: join(home.gitDir, `index-${known.length}`) };
      await mkdir(workTree);
      await checkOut(place.git, repository, { attributes, signal });
      return repository;
    };
    const repositoryOf = (attributes: Buffer): Promise<Repository> => {
      const before = known.find((one) => one.attributes.equals(attributes));
      if (before !== undefined) return before.made;
      const made = make(attributes);
      known.push({ attributes, made });
      return made;
    };
    try {
      return await use(async (attributes, paths) => {
        if (attributes === null || paths.length === 0) return new Set();
        return await storedByFilter(place.git, await repositoryOf(attributes), { input: asInput(paths), signal });
      });
    } finally {
      await Promise.allSettled(known.map(({ made }) => made));
    }
  });
}

const MAX_ARGUMENTS = 500; // of paths: the system takes 2 MiB in all
const NOW_TIMEOUT_MS = 5_000; // some small files; a tool waits for it

/** The paths, of some, that Git LFS stores by the files of attributes that a working tree would commit at this moment. */
export async function pathsInLfsNow(
  place: AttributesPlace,
  { workTree, paths }: AskedPaths & { readonly workTree: string },
): Promise<ReadonlySet<string>> {
  const files = await attributesAbove(place, { workTree, paths });
  if (files.length === 0) return new Set();
  return await inRepository(place, async (repository) => {
    const { env, ...at } = repository;
    const limits = { timeoutMs: NOW_TIMEOUT_MS };
    const add = ['update-index', '--add', '-z', '--stdin'];
    // A file with letters that its encoding does not have is refused, as it is when it is to be committed.
    const call = { at: { ...at, workTree }, env, input: asInput(files), answers: [0, 128], ...limits };
    await place.git.run(add, call);
    await place.git.run(CHECK_OUT, { at, env, ...limits });
    return await storedByFilter(place.git, repository, { input: asInput(paths), ...limits });
  });
}

/** The files and links of attributes in the folders above some paths, without those that git ignores. */
async function attributesAbove(
  { git, gitDir }: BlobPlace,
  { workTree, paths }: AskedPaths & { readonly workTree: string },
): Promise<readonly string[]> {
  const present: string[] = [];
  for (const folder of foldersAbove(paths)) {
    const path = posix.join(folder, ATTRIBUTES);
    const found = await lstat(placeInTree(workTree, bytesOf(path))).catch(() => null);
    if (found?.isSymbolicLink() === true || (found?.isFile() === true && found.size < MAX_FILE_BYTES))
      present.push(path);
  }
  const files: string[] = [];
  const listing = ['ls-files', '-z', '-c', '-o', '--exclude-standard', '--'];
  const call = { at: { gitDir, workTree }, timeoutMs: NOW_TIMEOUT_MS };
  for (let first = 0; first < present.length; first += MAX_ARGUMENTS) {
    const batch = present.slice(first, first + MAX_ARGUMENTS).map((path) => bytesOf(path).toString());
    for await (const listed of readEntries(git, [...listing, ...batch], call)) files.push(...listed);
  }
  return files;
}

const REPOSITORY = 'sluice-attributes-';

/** Whether something in a git directory is what a process that died has left of such a question. */
export function isLeftOfAttributes(name: string): boolean {
  return name.startsWith(REPOSITORY);
}

/** A repository with an empty index and an empty working tree. */
interface Repository extends GitPlace {
  readonly workTree: string;
  readonly env: Record<string, string>;
}

/**
 * Runs git in a repository that reads the objects of the clone and has nothing else: the clone's own `info/attributes` take
 * every filter away. What git writes there is removed with it.
 */
async function inRepository<T>(
  { gitDir, objects }: AttributesPlace,
  use: (made: Repository) => Promise<T>,
): Promise<T> {
  const home = join(gitDir, `${REPOSITORY}${randomUUID()}`);
  const made = { gitDir: join(home, 'git'), workTree: join(home, 'tree') };
  try {
    await mkdir(join(made.gitDir, 'refs'), { recursive: true });
    await mkdir(join(made.gitDir, 'objects'));
    await mkdir(made.workTree);
    await writeFile(join(made.gitDir, 'HEAD'), 'ref: refs/heads/none\n');
    return await use({ ...made, env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects } });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const CHECK_OUT = ['checkout-index', '-q', '-a'];

/** Puts files of attributes into the index and, as a checkout of them would have them, into the working tree. */
async function checkOut(
  git: Git,
  { env, ...at }: Repository,
  { attributes, signal }: { readonly attributes: Buffer; readonly signal: AbortSignal },
): Promise<void> {
  await git.run(['update-index', '-z', '--index-info'], { at, env, input: attributes, signal });
  await git.run(CHECK_OUT, { at, env, signal });
}

/** Asks git as it reads the index, and as it reads the files of the working tree. */
async function storedByFilter(git: Git, { env, ...at }: Repository, call: GitCall): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const from of [['--cached'], []]) {
    let fields: string[] = []; // a path, `filter`, its value
    for await (const entries of readEntries(git, ['check-attr', ...from, '-z', '--stdin', 'filter'], {
      at,
      env,
      ...call,
    })) {
      fields = fields.concat(entries);
      const whole = fields.length - (fields.length % 3);
      for (let index = 0; index < whole; index += 3) {
        if (fields[index + 2] === 'lfs') stored.add(fields[index] ?? '');
      }
      fields = fields.slice(whole);
    }
  }
  return stored;
}

function asInput(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

/** The sizes of the blobs among some ids. */
async function blobSizes(
  { git, gitDir }: BlobPlace,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (ids.length === 0) return sizes;
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], {
    at: { gitDir },
    input: `${[...new Set(ids)].join('\n')}\n`,
    maxOutputBytes: LISTING_BYTES,
    signal,
  });
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id, type, bytes] = line.split(' ');
    if (id !== undefined && type === 'blob') sizes.set(id, Number(bytes));
  }
  return sizes;
}

/** The blobs, of some, that are pointers of Git LFS. Only small ones are read. */
export async function pointersAmong(
  place: BlobPlace,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const sizes = await blobSizes(place, blobs, signal);
  const small = [...sizes].filter(([, bytes]) => bytes <= MAX_LFS_POINTER_BYTES).map(([id]) => id);
  const pointers = new Set<string>();
  for await (const { blob, content } of readBlobs(place, small, signal)) {
    if (isLfsPointer(content)) pointers.add(blob);
  }
  return pointers;
}
