import { AppError } from '@sluice/core/error';
import { reserveOf } from '@sluice/core/workspace';
import { freeSpace } from '../disk/free-space.ts';
import { byteSize } from '../git/byte-size.ts';
import type { Git } from '../git/git.ts';
import { LISTING_BYTES, readEntries } from './read-entries.ts';

/*
 * A few objects can name themselves ten thousand million times over, and git would write them all. So the tree of a
 * commit is read as a stream, up to the first limit, before anything is checked out.
 */

/** How large the files of one commit may be. */
export interface TreeLimits {
  /** Files and folders. */
  readonly files: number;
  readonly bytes: number;
}

export const DEFAULT_TREE_LIMITS: TreeLimits = { files: 500_000, bytes: 4 * 1024 ** 3 };

/** git walks trees by recursion, and its stack ends at some ten thousand levels; no real tree has a hundred. */
const MAX_DEPTH = 256;
/** With the root before it still a path that the system takes. */
const MAX_PATH_BYTES = 2_048;
/** Other listings say about as much of each file, and new files come on top of these. */
const MAX_LISTING_BYTES = LISTING_BYTES / 2;
/** The disk use of a file besides its content: an inode, a name, and half a block that stays empty. */
const BYTES_PER_FILE = 4_096;
/** A restart measures again, so few are kept. */
const REMEMBERED = 1_000;

interface TreeSize {
  readonly files: number;
  readonly bytes: number;
  readonly submodules: number;
}

interface MeasuredCommit {
  readonly git: Git;
  readonly gitDir: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** Refuses commits whose files this server does not take. */
export interface TreeGuard {
  /** @throws AppError `repo_too_large` with the limit that the commit's files exceed */
  admit(measured: MeasuredCommit): Promise<TreeSize>;
  /**
   * Like `admit`, and there must be room for the files below `folder`. @throws AppError `disk_full` when there is none
   */
  admitInto(folder: string, measured: MeasuredCommit): Promise<void>;
}

export function createTreeGuard(limits: TreeLimits): TreeGuard {
  const known = new Map<string, TreeSize>();
  const admit = async (measured: MeasuredCommit): Promise<TreeSize> => {
    const before = known.get(measured.commit);
    if (before !== undefined) return before;
    const size = await measure(measured, limits);
    if (known.size >= REMEMBERED) known.clear();
    known.set(measured.commit, size);
    return size;
  };
  return {
    admit,
    async admitInto(folder, measured) {
      const { files, bytes } = await admit(measured);
      const space = await freeSpace(folder);
      const needed = bytes + files * BYTES_PER_FILE;
      const left = space.free - reserveOf(space).bytes;
      if (needed <= left) return;
      throw new AppError('disk_full', {
        detail: `The files of the commit take ${byteSize(needed)}, and the disk of this server has room for ${byteSize(Math.max(0, left))}. Ask the operator for a larger one (WORKSPACES_DIR).`,
      });
    },
  };
}

async function measure({ git, gitDir, commit, signal }: MeasuredCommit, limits: TreeLimits): Promise<TreeSize> {
  let files = 0;
  let bytes = 0;
  let submodules = 0;
  const listing = ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', '--end-of-options', commit];
  const call = { at: { gitDir }, maxOutputBytes: MAX_LISTING_BYTES, signal };
  for await (const entries of readEntries(git, listing, call)) {
    for (const entry of entries) {
      files += 1;
      bytes += sizeOf(entry);
      if (entry.startsWith('160000 ')) submodules += 1;
    }
    if (files > limits.files) {
      throw tooLarge(`it has more than ${limits.files} files and folders`, 'REPO_MAX_FILES');
    }
    if (bytes > limits.bytes) {
      throw tooLarge(`its files take more than ${byteSize(limits.bytes)}`, 'REPO_MAX_TREE_SIZE');
    }
  }
  return { files, bytes, submodules };
}

/** The size in an entry of `ls-tree -l`: `mode type id size TAB path`. Folders and submodules have none. */
function sizeOf(entry: string): number {
  const tab = entry.indexOf('\t');
  const path = entry.slice(tab + 1);
  if (path.length > MAX_PATH_BYTES) throw tooLarge(`it has a path of more than ${MAX_PATH_BYTES} bytes`);
  if (depthOf(path) > MAX_DEPTH) throw tooLarge(`its folders are nested more than ${MAX_DEPTH} deep`);
  return Number(/ (\d+)$/.exec(entry.slice(0, tab))?.[1] ?? 0);
}

function depthOf(path: string): number {
  let depth = 1;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

function tooLarge(why: string, setting?: string): AppError {
  const way = setting === undefined ? '' : ` The operator can raise ${setting}.`;
  return new AppError('repo_too_large', { detail: `The commit is too large to be checked out: ${why}.${way}` });
}
