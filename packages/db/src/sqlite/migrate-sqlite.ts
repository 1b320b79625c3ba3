import { rmSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { type Migration, pendingMigrations } from '../engine/migrations.ts';
import { vacuumInto } from './vacuum-into.ts';

/** A downgrade by one release needs the newest copy; the one before it is kept for the day when that was too late. */
const COPIES_KEPT = 2;
/** The `user_version` of a database between two migrations of one upgrade. */
const HALF_WAY = 1;

/**
 * Migrates the database, one transaction per migration. The caller holds the instance lock.
 *
 * A table is changed by rebuilding it and dropping the old one. With foreign keys on, that drop silently deletes every
 * referencing row, and the PRAGMA in drizzle-kit's files does nothing inside a transaction. Hence foreign keys are off
 * before, all references are checked before the commit, and on again afterwards.
 *
 * @returns the names of the applied migrations
 * @throws DatabaseRefusal `newer`, or `damaged` when a migration would leave dangling references (it is rolled back)
 */
export function migrateSqlite(writer: Sqlite.Database, known: readonly Migration[]): readonly string[] {
  const applied = appliedTo(writer);
  const pending = pendingMigrations(known, applied);
  if (pending.length === 0) return [];
  writer.exec('create table if not exists migrations (name text primary key not null, applied_at integer not null)');
  // The copy of an upgrade that failed half-way is the one that the release before can open.
  if (applied.length > 0 && !isHalfWay(writer)) vacuumInto(writer, copyPathOf(writer, pending[0]?.name));
  writer.pragma('foreign_keys = OFF');
  try {
    for (const migration of pending) apply(writer, migration, { isLast: migration === pending.at(-1) });
  } finally {
    writer.pragma('foreign_keys = ON');
  }
  removeOldCopies(writer, known);
  return pending.map(({ name }) => name);
}

/** The names of the applied migrations. */
export function appliedTo(connection: Sqlite.Database): readonly string[] {
  const ledger = connection.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migrations'").get();
  return ledger === undefined ? [] : connection.prepare<[], string>('select name from migrations').pluck().all();
}

/** Whether an upgrade has applied some of its migrations and not all. */
function isHalfWay(writer: Sqlite.Database): boolean {
  return writer.pragma('user_version', { simple: true }) === HALF_WAY;
}

function apply(writer: Sqlite.Database, { name, sql }: Migration, { isLast }: { isLast: boolean }): void {
  writer.exec('begin immediate');
  try {
    writer.exec(sql);
    const dangling = writer.pragma('foreign_key_check') as { table: string }[];
    if (dangling.length > 0) {
      throw new DatabaseRefusal(
        'damaged',
        `The database cannot be brought up to date: "${name}" would leave ${dangling.length} rows that refer to nothing (the first is in "${dangling[0]?.table}"). Nothing was changed.`,
      );
    }
    writer.prepare('insert into migrations (name, applied_at) values (?, ?)').run(name, Date.now());
    writer.pragma(`user_version = ${isLast ? 0 : HALF_WAY}`);
    writer.exec('commit');
  } catch (error) {
    if (writer.inTransaction) writer.exec('rollback');
    throw error;
  }
}

/** Where the copy from before this migration is. */
function copyPathOf(writer: Sqlite.Database, name: string | undefined): string {
  return `${writer.name}.before-${name}`;
}

/** Each copy is as large as the database: without this, upgrades fill the disk. Other copies are the operator's. */
function removeOldCopies(writer: Sqlite.Database, known: readonly Migration[]): void {
  const copies = known
    .map(({ name }) => copyPathOf(writer, name))
    .map((path) => ({ path, madeAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .filter(({ madeAt }) => madeAt > 0)
    .toSorted((a, b) => b.madeAt - a.madeAt);
  for (const { path } of copies.slice(COPIES_KEPT)) {
    try {
      rmSync(path);
    } catch {
      // It takes space, and the upgrade has succeeded.
    }
  }
}
