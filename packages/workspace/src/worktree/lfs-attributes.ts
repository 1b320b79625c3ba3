import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLfsPointer, MAX_LFS_POINTER_BYTES } from '@sluice/core';
import type { Git, GitCall, GitPlace } from '../git/git.ts';
import { indexEntries, rawChanges } from './raw-changes.ts';
import { type BlobPlace, readBlobs } from './read-blobs.ts';
import { LISTING_BYTES, readEntries } from './read-entries.ts';

/*
 * git itself says what attributes mean: nested files, macros, `-filter` and `!filter`. It reads them from an index that holds
 * the `.gitattributes` of one tree and nothing else. Its own limits hold: it ignores a file of more than 100 MiB, and a line of
 * more than 2,048 bytes.
 */

/** Where the objects of a tree are, and where git may write for a moment. */
export interface AttributesPlace extends BlobPlace {
  /** The folder of the clone's objects. */
  readonly objects: string;
}

/** git knows the tree without files by its id. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const ATTRIBUTE_FILES = ':(glob)**/.gitattributes';
/** The text without which no attributes, macros included, let Git LFS store anything. */
const LFS_FILTER = 'filter=lfs';

/** Whether attributes of one of some trees name the filter of Git LFS. Most repositories pay no more than this call. */
export async function nameLfs(
  { git, gitDir }: BlobPlace,
  trees: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const search = ['grep', '-q', '-a', '-F', '--threads', '1', '-e', LFS_FILTER, ...trees, '--', ATTRIBUTE_FILES];
  const { exitCode } = await git.run(search, {
    at: { gitDir },
    env: { GIT_LITERAL_PATHSPECS: '0' },
    answers: [0, 1],
    signal,
  });
  return exitCode === 0;
}

/** The files of attributes in a tree, as text by which two trees can be compared. */
export async function attributesOf(place: BlobPlace, tree: string, signal: AbortSignal): Promise<Buffer> {
  const { git, gitDir } = place;
  const files = await rawChanges(
    git,
    { at: { gitDir }, from: EMPTY_TREE, to: tree, patterns: [ATTRIBUTE_FILES] },
    signal,
  );
  // git follows no link in the place of such a file.
  return indexEntries(files.filter(({ mode }) => mode.startsWith('100')));
}

interface AskedPaths {
  /** Latin-1, and relative to the root; none of them leads out of it. */
  readonly paths: readonly string[];
}

/** The paths, of some, that Git LFS stores by attributes that `attributesOf` gave; none for null. */
export async function pathsInLfs(
  place: AttributesPlace,
  { attributes, paths }: AskedPaths & { readonly attributes: Buffer | null },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (attributes === null || paths.length === 0) return new Set();
  return await inBareRepository(place, async (call) => {
    await place.git.run(['update-index', '-z', '--index-info'], { ...call, input: attributes, signal });
    return await storedByFilter(place.git, ['--cached'], { ...call, input: asInput(paths), signal });
  });
}

const NOW_TIMEOUT_MS = 5_000; // some small files; a tool waits for it

/** The paths, of some, that Git LFS stores by the files of attributes that a working tree has at this moment. */
export async function pathsInLfsNow(
  place: AttributesPlace,
  { workTree, paths }: AskedPaths & { readonly workTree: string },
): Promise<ReadonlySet<string>> {
  return await inBareRepository(place, ({ at, env }) =>
    storedByFilter(place.git, [], { at: { ...at, workTree }, env, input: asInput(paths), timeoutMs: NOW_TIMEOUT_MS }),
  );
}

const REPOSITORY = 'sluice-attributes-';

/** Whether something in a git directory is what a process that died has left of such a question. */
export function isLeftOfAttributes(name: string): boolean {
  return name.startsWith(REPOSITORY);
}

/**
 * Runs git in a repository that has the objects of the clone and nothing else: the clone's own `info/attributes` take every
 * filter away.
 */
async function inBareRepository<T>(
  { gitDir, objects }: AttributesPlace,
  use: (call: { at: GitPlace; env: Record<string, string> }) => Promise<T>,
): Promise<T> {
  const empty = join(gitDir, `${REPOSITORY}${randomUUID()}`);
  try {
    await mkdir(join(empty, 'refs'), { recursive: true });
    await writeFile(join(empty, 'HEAD'), 'ref: refs/heads/none\n');
    return await use({ at: { gitDir: empty }, env: { GIT_OBJECT_DIRECTORY: objects } });
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

async function storedByFilter(git: Git, from: readonly string[], call: GitCall): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  let fields: string[] = []; // a path, `filter`, its value
  for await (const entries of readEntries(git, ['check-attr', ...from, '-z', '--stdin', 'filter'], call)) {
    fields = fields.concat(entries);
    const whole = fields.length - (fields.length % 3);
    for (let index = 0; index < whole; index += 3) {
      if (fields[index + 2] === 'lfs') stored.add(fields[index] ?? '');
    }
    fields = fields.slice(whole);
  }
  return stored;
}

function asInput(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

/** The blobs, of some, that are pointers of Git LFS. Only small ones are read. */
export async function pointersAmong(
  place: BlobPlace,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const pointers = new Set<string>();
  if (blobs.length === 0) return pointers;
  const { stdout } = await place.git.run(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], {
    at: { gitDir: place.gitDir },
    input: `${[...new Set(blobs)].join('\n')}\n`,
    maxOutputBytes: LISTING_BYTES,
    signal,
  });
  const small: string[] = [];
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id, type, bytes] = line.split(' ');
    if (id !== undefined && type === 'blob' && Number(bytes) <= MAX_LFS_POINTER_BYTES) small.push(id);
  }
  for await (const { blob, content } of readBlobs(place, small, signal)) {
    if (isLfsPointer(content)) pointers.add(blob);
  }
  return pointers;
}
