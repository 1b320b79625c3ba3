import { chmodSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const BUSY_TIMEOUT_MS = 5_000; // an operator's own tool (backup, shell) may hold the file for a moment
const ROWS_ANALYZED = 100; // of each index: some 30 ms for all tables, whatever their size; 400 rows cost as much
const MAX_IDLE_WAL_BYTES = 64 * 1024 * 1024;

/** Opens the connection that writes. The only one: its transactions run one after another. */
export function openWriter(file: string): Sqlite.Database {
  const writer = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    chmodSync(file, 0o600); // before the WAL exists: it takes over the file's mode
    // Takes effect on a new file alone, and only before anything is written to it.
    writer.pragma('auto_vacuum = INCREMENTAL');
    writer.pragma('journal_mode = WAL');
    // NORMAL may lose the last commits in a power cut, and a commit is a promise that was given to somebody.
    writer.pragma('synchronous = FULL');
    writer.pragma('foreign_keys = ON');
    // What was replaced or deleted, such as a secret that is now encrypted, does not stay in the pages; FAST: at no more writes.
    writer.pragma('secure_delete = FAST');
    writer.pragma(`analysis_limit = ${ROWS_ANALYZED}`);
    writer.pragma(`journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
    return withLower(writer);
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Opens the connection that reads; it sees what is committed, also in the middle of a write. */
export function openReader(file: string): Sqlite.Database {
  return withLower(new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, readonly: true }));
}

/** SQLite's own `lower` knows ASCII alone; Postgres knows the rest of the world. */
function withLower(connection: Sqlite.Database): Sqlite.Database {
  return connection.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}
