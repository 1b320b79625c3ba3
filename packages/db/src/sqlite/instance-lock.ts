import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { finishRestore, restoreFolder } from './finish-restore.ts';

/**
 * Takes the data folder for this process alone, until `release`. The lock is SQLite's own on a file of its own: the
 * kernel drops it with the process, so a kill leaves nothing behind that would have to be cleaned up. A restore that was
 * decided on and not finished is finished here, before anybody reads a file of the folder.
 *
 * @throws DatabaseRefusal `in_use` at once when another process, or this one, has it
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

/** Whether a restore was decided on and not finished. */
export function isRestorePending(dataDir: string): boolean {
  return existsSync(restoreFolder(dataDir));
}

/** Finishes a restore for somebody who needs no lock himself. @throws DatabaseRefusal `in_use` */
export function finishUnderLock(dataDir: string): void {
  lockInstance(dataDir).release();
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
