import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { type AbsentContent, type CountedPaths, type LfsChange, NO_PATHS, renderPaths } from '@sluice/core/workspace';
import { countPaths } from './count-paths.ts';
import { type AttributesPlace, askAttributes, attributesOf, pathsInLfsNow, pointersAmong } from './lfs-attributes.ts';
import { EMPTY_BLOB, type JudgedLfsChange, judgeLfsChange } from './lfs-change.ts';
import { SUBMODULE } from './raw-changes.ts';
import { entriesIn, isFile } from './tree-entries.ts';
import { MAX_JUDGED_PATHS, parentsOf, refuseTrapsAbove, type WorkingTree } from './working-tree.ts';

/*
 * No filter of a repository is run, so what is in the tree is what is committed: at a path that Git LFS stores it must be a
 * pointer. The attributes that the work starts from and those of the change both count, so a change that removes the filter
 * commits nothing there that it could not commit before. Checkpoints are not judged: they are never pushed, and refusing one would lose work
 * that the coder can still correct.
 */

/** Git LFS in one working tree. Answers about commits and trees are remembered: these never change. */
export interface TreeLfs {
  /**
   * The paths, of the first hundred, that Git LFS stores, by the attributes that the work starts from or by those in the working
   * tree: a change may bring its own. A path that leads out of the tree is none.
   *
   * @throws AppError `workspace_unsafe` where a file of attributes on the way is a pipe or the like
   */
  stored(paths: readonly string[]): Promise<readonly string[]>;
  /** What a checkout of a commit or a tree lacks. */
  absentFrom(tree: string, signal: AbortSignal): Promise<AbsentContent>;
  /** What a commit that was made of the working tree changes. */
  changeTo(commit: string, signal: AbortSignal): Promise<LfsChange>;
  /** @throws AppError `lfs_content_refused` for a commit or a tree with anything but pointers where Git LFS stores files */
  refuseContent(tree: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens the questions about Git LFS in a working tree.
 *
 * @param cache the clone that has the objects
 * @param start what the work starts from: the base commit, or the tree that git makes of a merge
 * @param submodulesIn the number of submodules in a commit or a tree: most have none, and are not listed for them
 */
export function openTreeLfs(
  tree: WorkingTree,
  cache: string,
  {
    start,
    submodulesIn,
  }: {
    readonly start: (signal: AbortSignal) => Promise<string>;
    readonly submodulesIn: (id: string, signal: AbortSignal) => Promise<number>;
  },
): TreeLfs {
  const place: AttributesPlace = { git: tree.git, gitDir: tree.paths.gitDir, objects: join(cache, 'objects') };
  const attributes = remembering((id, signal) => attributesOf(place, id, signal));
  const judged = remembering<JudgedLfsChange>(async (to, signal) =>
    judgeLfsChange(place, { parents: parentsOf(tree), start: await start(signal), to }, { attributes, signal }),
  );
  return {
    async stored(paths) {
      const judged = paths.slice(0, MAX_JUDGED_PATHS).filter(isInside);
      if (judged.length === 0) return [];
      await refuseTrapsAbove(tree, judged);
      const names = judged.map((path) => Buffer.from(path).toString('latin1'));
      const inTree = await pathsInLfsNow(place, { workTree: tree.paths.tree, paths: names });
      const ofStart = await attributes(await start(NEVER), NEVER);
      const atStart = await askAttributes(place, NEVER, (pathsInLfs) => pathsInLfs(ofStart, names));
      return judged.filter((_, index) => [inTree, atStart].some((stored) => stored.has(names[index] ?? '')));
    },
    absentFrom: remembering(async (id, signal) => {
      const lfs = await attributes(id, signal);
      if (lfs === null && (await submodulesIn(id, signal)) === 0) return NOTHING_ABSENT;
      return await absentFrom(place, { id, lfs }, signal);
    }),
    async changeTo(commit, signal) {
      const { newPointers, released, attributes } = await judged(commit, signal);
      return { newPointers, released, attributes };
    },
    async refuseContent(id, signal) {
      const { refused } = await judged(id, signal);
      if (refused.count > 0) throw contentRefused(refused);
    },
  };
}

const NEVER = new AbortController().signal; // each call takes milliseconds
const NOTHING_ABSENT: AbsentContent = { usesLfs: false, lfsFiles: NO_PATHS, submodules: NO_PATHS };
const MAX_REMEMBERED = 20; // of one execution: its base, and a tree for each round

/** git refuses to be asked about other paths. */
function isInside(path: string): boolean {
  return path !== '' && !path.includes('\0') && !path.startsWith('/') && !path.split('/').includes('..');
}

function remembering<T>(ask: (id: string, signal: AbortSignal) => Promise<T>) {
  const known = new Map<string, { readonly answer: T }>();
  return async (id: string, signal: AbortSignal): Promise<T> => {
    const before = known.get(id);
    if (before !== undefined) return before.answer;
    const answer = await ask(id, signal);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(id, { answer });
    return answer;
  };
}

async function absentFrom(
  place: AttributesPlace,
  { id, lfs }: { readonly id: string; readonly lfs: Buffer | null },
  signal: AbortSignal,
): Promise<AbsentContent> {
  let [lfsFiles, submodules] = [NO_PATHS, NO_PATHS];
  await askAttributes(place, signal, async (pathsInLfs) => {
    for await (const entries of entriesIn(place, id, signal)) {
      submodules = countPaths(
        entries.filter(({ mode }) => mode === SUBMODULE),
        submodules,
      );
      const files = lfs === null ? [] : entries.filter((entry) => isFile(entry.mode) && entry.id !== EMPTY_BLOB);
      const paths = files.map(({ path }) => path);
      const stored = await pathsInLfs(lfs, paths);
      const inLfs = files.filter(({ path }) => stored.has(path));
      const blobs = inLfs.map((entry) => entry.id);
      const pointers = await pointersAmong(place, blobs, signal);
      lfsFiles = countPaths(
        inLfs.filter((entry) => pointers.has(entry.id)),
        lfsFiles,
      );
    }
  });
  return { usesLfs: lfs !== null, lfsFiles, submodules };
}

const ADVICE =
  'Take their change back, or use paths that Git LFS does not store. The attributes of the base count as well, so removing the filter does not help.';

function contentRefused(paths: CountedPaths): AppError {
  const detail = `Git LFS stores these files (\`filter=lfs\` in .gitattributes), so only pointers can be committed there, and the change has something else: ${renderPaths(paths)}. Sluice uploads no objects to Git LFS. ${ADVICE}`;
  return new AppError('lfs_content_refused', { detail });
}
