import type Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { pendingMigrations, readMigrations } from '../engine/migrations.ts';
import { appliedTo } from '../sqlite/migrate-sqlite.ts';
import { openReader } from '../sqlite/sqlite-connections.ts';
import { sqliteRefusal } from '../sqlite/sqlite-refusal.ts';

/** What a copy of a database contains. */
export interface DatabaseCopy {
  /** The migrations that it has, in order. */
  readonly changes: readonly string[];
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/**
 * Reads all pages of a copy and counts its rows.
 *
 * @throws DatabaseRefusal `damaged`, or `newer` when this version does not know all of its migrations
 */
export function inspectCopy(file: string): DatabaseCopy {
  try {
    const copy = openReader(file);
    try {
      const changes = appliedTo(copy);
      refuseNewer(changes);
      const verdict = copy.pragma('integrity_check(1)', { simple: true });
      const dangling = copy.pragma('foreign_key_check') as unknown[];
      if (changes.length === 0 || verdict !== 'ok' || dangling.length > 0) {
        const detail = 'The copy of the database is damaged: its rows cannot all be read, or refer to nothing.';
        throw new DatabaseRefusal('damaged', detail);
      }
      return { changes, tables: countRows(copy) };
    } finally {
      copy.close();
    }
  } catch (error) {
    throw sqliteRefusal(error);
  }
}

/**
 * Checks that this version knows all migrations of a copy.
 *
 * @throws DatabaseRefusal `newer` when this version does not know one of these migrations
 */
export function refuseNewer(changes: readonly string[]): void {
  pendingMigrations(readMigrations('sqlite'), changes);
}

function countRows(copy: Sqlite.Database): DatabaseCopy['tables'] {
  const names = copy
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all();
  return names.map((name) => ({
    name,
    rows: copy.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0,
  }));
}
