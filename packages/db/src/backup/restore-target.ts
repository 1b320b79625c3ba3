import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishRestore, type RestorePlan, restoreFolder } from '../sqlite/finish-restore.ts';
import { lockInstance } from '../sqlite/instance-lock.ts';
import { refuseMoved } from '../sqlite/moved-mark.ts';
import { sqliteRefusal } from '../sqlite/sqlite-refusal.ts';
import { syncFile, syncFolder } from '../sqlite/sync-to-disk.ts';

/** A data folder that is locked for a restore, so that no process can start on it. */
export interface RestoreTarget {
  /** Whether the folder already holds a database. */
  readonly isOccupied: boolean;
  /** Staging folder for the restored files, on the same disk. It is deleted unless the files are put in place. */
  readonly staging: string;
  /**
   * Replaces the folder's files with those of `staging`. One rename decides: before it the folder is unchanged; after
   * it, every process that takes the folder's lock finishes the restore, even if this process dies.
   *
   * @param caches names of files and folders that do not match the restored database
   * @returns the new location of the previous files by name, or null when there were none
   */
  put(caches: readonly string[]): string | null;
  /** Releases the folder. Staged files that were not put in place are deleted. */
  close(): void;
}

// `sluice.db` moves with the files that SQLite keeps beside it: an old WAL would be replayed into a new database.
const FILES: RestorePlan['files'] = [
  { name: 'sluice.db', beside: ['sluice.db-wal', 'sluice.db-shm'] },
  { name: 'secrets.json', beside: [] },
  { name: 'audit-head.json', beside: [] },
];

/**
 * Locks a data folder, and creates it if it does not exist. An unfinished earlier restore is completed or removed
 * first.
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

/** A refused restore leaves no empty folder behind. */
function removeNew(dataDir: string): void {
  for (const lock of ['lock.db', 'commands.db']) rmSync(join(dataDir, lock), { force: true });
  rmdirSync(dataDir);
}
