import { statfsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const MIN_FREE_BYTES = 1024 * 1024; // as large as a request may be

/**
 * The log of changes keeps its size, so that on a full disk small changes go into the room of earlier ones for a while, and
 * larger ones fail.
 *
 * @throws SqliteError `SQLITE_FULL`
 */
export function requireRoom(folder: string): void {
  const { blocks, bfree, bavail, bsize } = statfsSync(folder);
  const isKnown = blocks > 0; // some network file systems do not tell
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  if (isKnown && free < MIN_FREE_BYTES) throw new Sqlite.SqliteError('less than 1 MiB is free', 'SQLITE_FULL');
}
