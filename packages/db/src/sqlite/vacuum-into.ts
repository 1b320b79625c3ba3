import { chownSync, closeSync, openSync, rmSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/**
 * Writes the database without its free pages to another file, in place of what is there. Nobody but the owner of the
 * database may ever read it, whoever runs this. One that fails leaves nothing.
 */
export function vacuumInto(connection: Sqlite.Database, copy: string): void {
  rmSync(copy, { force: true });
  try {
    closeSync(openSync(copy, 'wx', 0o600)); // SQLite itself would make a file that everybody may read
    const { uid, gid } = statSync(connection.name);
    if (process.getuid?.() === 0) chownSync(copy, uid, gid);
    connection.prepare('vacuum into ?').run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}
