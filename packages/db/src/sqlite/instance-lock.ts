import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { finishRestore, restoreFolder } from './finish-restore.ts';

/**
 * Locks the data folder for this process until `release`. It is a SQLite lock on a separate file: the kernel drops it
 * with the process, so a kill leaves nothing to clean up. A restore that was decided and not finished is finished here,
 * before any file of the folder is read.
 *
 * @throws DatabaseRefusal `in_use` at once when this or another process holds it
 */
export function lockInstance(dataDir: string): { release(): void } {
  const lock = new Sqlite(join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DatabaseRefusal(
      'in_use',
      'Another Sluice process uses this data folder: stop it, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
  try {
    if (isRestorePending(dataDir)) finishRestore(dataDir);
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => void lock.close() };
}

/** Whether a restore was decided and not finished. */
export function isRestorePending(dataDir: string): boolean {
  return existsSync(restoreFolder(dataDir));
}

/** Finishes a restore for callers that need no lock themselves. @throws DatabaseRefusal `in_use` */
export function finishUnderLock(dataDir: string): void {
  lockInstance(dataDir).release();
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
