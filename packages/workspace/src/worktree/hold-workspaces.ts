import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import Database from 'better-sqlite3';
import { isSpaceLow } from '../disk/free-space.ts';
import { removeTree } from './remove-tree.ts';
import { workspaceLayout } from './workspace-layout.ts';

/** The folder of the workspaces, for one process alone. */
export interface HeldWorkspaces {
  /** The folders that had to be removed because the disk was down to its reserve. */
  readonly removed: readonly string[];
  /** Removes all clones and trees: a restored database knows nothing of what was done in them. */
  empty(): Promise<void>;
  release(): void;
}

/**
 * Takes the folder of the workspaces, made when it is absent, for this process alone, and frees its disk when that is down
 * to its reserve: what is on its way out, then the trees, then the clones. All of it is made again from the remotes and
 * the checkpoints in the database. To be called before the database is opened, which may lie on the same disk.
 *
 * The lock is SQLite's own on a dedicated file: the kernel drops it with the process.
 *
 * @throws AppError `not_ready` at once when another process has it
 */
export async function holdWorkspaces(root: string): Promise<HeldWorkspaces> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const lock = new Database(join(root, 'lock.db'), { timeout: 0 });
  try {
    // A journal on the disk would need room there, which is what may be missing.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('begin exclusive');
    return {
      removed: await freeDisk(root),
      empty: async () => {
        for (const [, folder] of parts(root)) await removeTree(folder);
      },
      release: () => void lock.close(),
    };
  } catch (error) {
    lock.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    const detail = 'Another Sluice process uses this folder of working trees.';
    throw new AppError('not_ready', { detail }, { cause: error });
  }
}

async function freeDisk(root: string): Promise<string[]> {
  const removed: string[] = [];
  for (const [name, folder] of parts(root)) {
    if (!(await isSpaceLow(root))) break;
    await removeTree(folder);
    removed.push(name);
  }
  return removed;
}

/** What may be removed, the least missed first. */
function parts(root: string): [name: string, folder: string][] {
  const { trash, unfinished, trees, caches } = workspaceLayout(root);
  return Object.entries({ trash, unfinished, trees, caches });
}
