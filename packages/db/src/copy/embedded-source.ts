import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { readMigrations } from '../engine/migrations.ts';
import { lockInstance } from '../sqlite/instance-lock.ts';
import { migrateSqlite } from '../sqlite/migrate-sqlite.ts';
import { openReader, openWriter } from '../sqlite/sqlite-connections.ts';
import { sqliteRefusal } from '../sqlite/sqlite-refusal.ts';
import { type Row, readRow, type TableToCopy } from './table-to-copy.ts';

/** The database of a data folder, locked against other processes. */
export interface EmbeddedSource {
  /** The rows one by one, as the new installation starts with them. */
  rows(table: TableToCopy): Iterable<Row>;
  /** The highest number that the table's identity column has ever given out. */
  lastIdentity(table: TableToCopy): number;
  close(): void;
}

/**
 * Locks a data folder and migrates its database.
 *
 * @throws DatabaseRefusal when there is none, a server runs on it, or it is damaged or of a newer version
 */
export function openEmbeddedSource(dataDir: string): EmbeddedSource {
  const file = join(dataDir, 'sluice.db');
  if (!existsSync(file)) {
    throw new DatabaseRefusal(
      'unreachable',
      'There is no embedded database in the data folder: set DATA_DIR to the folder of the installation that moves.',
    );
  }
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const resource of opened.splice(0).reverse()) resource.close();
  };
  try {
    const lock = lockInstance(dataDir);
    opened.push({ close: () => lock.release() });
    const writer = openWriter(file);
    opened.push({ close: () => void writer.close() });
    migrateSqlite(writer, readMigrations('sqlite'));
    const reader = openReader(file);
    opened.push({ close: () => void reader.close() });
    return { rows: (table) => rowsOf(reader, table), lastIdentity: (table) => lastIdentity(reader, table), close };
  } catch (error) {
    close();
    throw sqliteRefusal(error);
  }
}

/** In insertion order, so that a follow-up comes after its parent issue. */
function* rowsOf(reader: Sqlite.Database, table: TableToCopy): Iterable<Row> {
  const statement = reader.prepare<[], Record<string, unknown>>(`select * from "${table.name}" order by rowid`);
  for (const found of statement.iterate()) yield table.begin(readRow(table.sqlite, found));
}

function lastIdentity(reader: Sqlite.Database, { name }: TableToCopy): number {
  const given = reader.prepare<[string], number>('select seq from sqlite_sequence where name = ?').pluck().get(name);
  return given ?? 0;
}
