import Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';

/**
 * Errors that an operator can fix, with instructions; others unchanged. Paths are left out, because the message may be
 * logged.
 */
export function sqliteRefusal(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) {
    const detail = `The database in the data folder is damaged (${error.code}): put back a copy of it, such as the one that was made before the last update.`;
    return new DatabaseRefusal('damaged', detail, { cause: error });
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(error.code)) {
    const detail = `The database in the data folder cannot be opened for writing (${error.code}): give this user the right to, or set DATA_DIR to another folder.`;
    return new DatabaseRefusal('unreachable', detail, { cause: error });
  }
  // The latter is the shared memory beside the WAL, which is created first.
  if (/^SQLITE_(FULL|IOERR_SHMSIZE)/.test(error.code)) {
    const detail = `The disk that holds the data folder is full (${error.code}): free some space and start again.`;
    return new DatabaseRefusal('unreachable', detail, { cause: error });
  }
  return error;
}
