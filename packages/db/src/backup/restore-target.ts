import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishRestore, type RestorePlan, restoreFolder } from '../sqlite/finish-restore.ts';
import { lockInstance } from '../sqlite/instance-lock.ts';
import { refuseMoved } from '../sqlite/moved-mark.ts';
import { sqliteRefusal } from '../sqlite/sqlite-refusal.ts';
import { syncFile, syncFolder } from '../sqlite/sync-to-disk.ts';

/** A data folder that is held for a restore: nobody serves from it meanwhile. */
export interface RestoreTarget {
  /** Whether it holds a database already. */
  readonly isOccupied: boolean;
  /** Where the files are laid out that it is to have; on the same disk, and gone when they are not put in place. */
  readonly staging: string;
  /**
   * Puts the files of `staging` in the place of those that are there. One rename decides: before it the folder is as
   * it was, and from it on everybody who takes the folder finishes what is left to do, whatever happens to this process.
   *
   * @param caches files and folders, by their names, that the restored database knows nothing of
   * @returns where what was there before is now, by its name in the folder; null when nothing was there
   */
  put(caches: readonly string[]): string | null;
  /** Lets go of the folder. What was not put is gone. */
  close(): void;
}

// `sluice.db` comes with what SQLite keeps beside it: an old WAL beside a new database would be played into it.
const FILES: RestorePlan['files'] = [
  { name: 'sluice.db', beside: ['sluice.db-wal', 'sluice.db-shm'] },
  { name: 'secrets.json', beside: [] },
];

/**
 * Takes a data folder, made when it is not there. What an earlier restore left half done is finished or removed first.
 *
 * @throws DatabaseRefusal when a process runs on it, or its database has moved to Postgres
 */
export function openRestoreTarget(dataDir: string): RestoreTarget {
  const isNew = !existsSync(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = lockInstance(dataDir);
    try {
      refuseMoved(dataDir);
      const staging = join(dataDir, 'restore.partial');
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { mode: 0o700 });
      return {
        isOccupied: existsSync(join(dataDir, 'sluice.db')),
        staging,
        put: (caches) => {
          const files = FILES.filter(({ name }) => existsSync(join(staging, name)));
          const plan: RestorePlan = { files, remove: caches };
          writeFileSync(join(staging, 'plan.json'), JSON.stringify(plan), { flush: true, mode: 0o600 });
          for (const { name } of files) syncFile(join(staging, name));
          syncFolder(staging);
          renameSync(staging, restoreFolder(dataDir));
          syncFolder(dataDir);
          return finishRestore(dataDir);
        },
        close: () => {
          rmSync(staging, { recursive: true, force: true });
          lock.release();
          if (isNew && !existsSync(join(dataDir, 'sluice.db'))) removeNew(dataDir);
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw sqliteRefusal(error);
  }
}

/** A refused restore leaves no empty folder behind where none was. */
function removeNew(dataDir: string): void {
  rmSync(join(dataDir, 'lock.db'), { force: true });
  rmdirSync(dataDir);
}
