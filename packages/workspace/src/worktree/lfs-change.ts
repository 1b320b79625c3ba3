import { type CountedPaths, type LfsChange, NO_PATHS } from '@sluice/core/workspace';
import { countPaths } from './count-paths.ts';
import { type AttributesPlace, askAttributes, type PathsInLfs, pointersAmong } from './lfs-attributes.ts';
import { NOTHING, type RawChange, rawChanges, SUBMODULE } from './raw-changes.ts';
import { entriesIn, isFile, type TreeEntry } from './tree-entries.ts';

/** What a commit changes about Git LFS, and what must not be committed. */
export interface JudgedLfsChange extends LfsChange {
  /** Paths that Git LFS stores and that hold something else than a pointer. */
  readonly refused: CountedPaths;
}

interface JudgedTrees {
  /** The base commit; of a merge, the merged commit as well. */
  readonly parents: readonly string[];
  /** The start of the work: the base commit, or what git makes of the merge. */
  readonly start: string;
  readonly to: string;
}

interface Asking {
  /** The attributes of a tree; null where they do not name Git LFS. */
  readonly attributes: (tree: string, signal: AbortSignal) => Promise<Buffer | null>;
  readonly signal: AbortSignal;
}

const NO_CHANGE: JudgedLfsChange = {
  refused: NO_PATHS,
  newPointers: NO_PATHS,
  released: NO_PATHS,
  attributes: NO_PATHS,
};

/** An empty file is its own pointer, and needs no object. */
export const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/**
 * Compares a tree with what the work starts from, and with its parents. Git LFS stores a path if the attributes of the tree or
 * those of the start say so. git's own merge has the filter that one side added and not the one that a side removed, so settling
 * a merge with the other side's attributes does not escape it. What a parent has at a path that Git LFS stores there is not this
 * change's, whatever it is. Where the attributes differ, every file of the tree is looked at: a new pattern may match files that
 * were there before.
 */
export async function judgeLfsChange(
  place: AttributesPlace,
  { parents, start, to }: JudgedTrees,
  { attributes, signal }: Asking,
): Promise<JudgedLfsChange> {
  const before = await Promise.all(parents.map((parent) => attributes(parent, signal)));
  const atStart = await attributes(start, signal);
  const after = await attributes(to, signal);
  if ([...before, atStart, after].every((found) => found === null)) return NO_CHANGE;
  const at = { gitDir: place.gitDir };
  const changesSince = (from: string) => rawChanges(place.git, { at, from, to }, signal);
  const changes = await Promise.all(
    parents.map(async (from) => new Map((await changesSince(from)).map((change) => [change.path, change]))),
  );
  const own = [...(changes[0]?.values() ?? [])].filter(({ path }) => changes.every((change) => change.has(path)));
  const isSame = [...before, atStart].every((found) => found !== null && after !== null && found.equals(after));
  const looked = isSame ? [own.filter(({ mode }) => mode !== NOTHING)] : entriesIn(place, to, signal);
  const pointers: TreeEntry[] = [];
  const outside: TreeEntry[] = [];
  let [refused, released] = [NO_PATHS, NO_PATHS];
  const known = await askAttributes(place, signal, async (pathsInLfs) => {
    for await (const entries of looked) {
      const found = await judgeEntries({ place, pathsInLfs }, entries, {
        before,
        atStart,
        after,
        isSame,
        changes,
        signal,
      });
      refused = countPaths(found.refused, refused);
      released = countPaths(found.released, released);
      pointers.push(...found.pointers);
      outside.push(...found.outside);
    }
    const ids = new Set([...pointers, ...outside].map(({ id }) => id));
    return await knownPointers({ place, pathsInLfs }, { parents, before, ids }, signal);
  });
  return {
    refused,
    released: countPaths(
      outside.filter(({ id }) => known.has(id)),
      released,
    ),
    newPointers: countPaths(pointers.filter(({ id }) => !known.has(id))),
    attributes:
      atStart === null
        ? NO_PATHS
        : countPaths((await changesSince(start)).filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path))),
  };
}

/** Who answers, as long as the question lasts. */
interface Asked {
  readonly place: AttributesPlace;
  readonly pathsInLfs: PathsInLfs;
}

interface Compared {
  /** The attributes of each parent, of the start and of the tree. */
  readonly before: readonly (Buffer | null)[];
  readonly atStart: Buffer | null;
  readonly after: Buffer | null;
  /** All of them are the same. */
  readonly isSame: boolean;
  /** What differs from each parent, by path. */
  readonly changes: readonly ReadonlyMap<string, RawChange>[];
  readonly signal: AbortSignal;
}

/**
 * Judges some entries of the tree. `pointers`: those that the change brings and that need an object. `outside`: those that it puts
 * where Git LFS stores nothing.
 */
async function judgeEntries({ place, pathsInLfs }: Asked, entries: readonly TreeEntry[], compared: Compared) {
  const { before, atStart, after, isSame, changes, signal } = compared;
  const paths = entries.map(({ path }) => path);
  const byTree = await pathsInLfs(after, paths);
  const byParent = isSame
    ? before.map(() => byTree)
    : await Promise.all(before.map((found) => pathsInLfs(found, paths)));
  const byStart = isSame ? byTree : await pathsInLfs(atStart, paths);
  const wasThere = ({ path }: TreeEntry) => changes.some((change) => change.get(path)?.modeBefore !== NOTHING);
  const isKept = ({ mode, id, path }: TreeEntry) =>
    byParent.some((stored, index) => {
      const change = changes[index]?.get(path);
      // git filters no link, so one that was there stays what it is.
      if (change === undefined) return stored.has(path) || !isFile(mode);
      return stored.has(path) && isFile(mode) && isFile(change.modeBefore) && change.idBefore === id;
    });
  const brought = entries.filter(
    (entry) => entry.mode !== SUBMODULE && (byTree.has(entry.path) || byStart.has(entry.path)) && !isKept(entry),
  );
  const files = brought.filter(({ mode }) => isFile(mode));
  const released = entries.filter((entry) => byStart.has(entry.path) && !byTree.has(entry.path) && wasThere(entry));
  const isNew = ({ path, id }: TreeEntry) => changes.every((change) => (change.get(path)?.idBefore ?? id) !== id);
  const left = new Set(released);
  const others = entries.filter(
    (entry) => isFile(entry.mode) && isNew(entry) && !byTree.has(entry.path) && !left.has(entry),
  );
  const blobs = [...files, ...others].map(({ id }) => id);
  const valid = await pointersAmong(place, blobs, signal);
  const isPointer = ({ id }: TreeEntry) => valid.has(id) && id !== EMPTY_BLOB;
  return {
    refused: brought.filter(({ mode, id }) => !isFile(mode) || !valid.has(id)),
    pointers: files.filter(isPointer),
    outside: others.filter(isPointer),
    released,
  };
}

/** The pointers, of some, that a parent has where Git LFS stores files: their objects were somebody's to upload. */
async function knownPointers(
  { place, pathsInLfs }: Asked,
  question: {
    readonly parents: readonly string[];
    readonly before: readonly (Buffer | null)[];
    readonly ids: ReadonlySet<string>;
  },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  if (question.ids.size === 0) return known;
  for (const [index, parent] of question.parents.entries()) {
    const idOf = new Map<string, string>();
    for await (const entries of entriesIn(place, parent, signal)) {
      for (const { id, path } of entries) if (question.ids.has(id)) idOf.set(path, id);
    }
    for (const path of await pathsInLfs(question.before[index] ?? null, [...idOf.keys()])) {
      known.add(idOf.get(path) ?? '');
    }
  }
  return known;
}
