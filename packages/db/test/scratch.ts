import { createHash } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder, type PostgresDatabases, RUN_FOLDER } from '@sluice/testing';
import { type Migration, readMigrations } from '../src/engine/migrations.ts';
import { openSqlite, type SqliteOptions, type Stores } from '../src/index.ts';
import { openPgDatabase, type PgOptions } from '../src/pg/open-pg-database.ts';
import { openSqliteDatabase } from '../src/sqlite/open-sqlite-database.ts';

/*
 * Empty databases for tests, copied from one that was migrated: the migrations take ten times as long as the copy. A
 * copy is as the last migration leaves it, without what the first start adds, such as the slots.
 */

/** Opens an empty SQLite database in a folder of its own, which is deleted on close. */
export async function openScratch(options: Omit<SqliteOptions, 'dataDir'>): Promise<Stores> {
  const dataDir = await migratedFolder();
  const stores = await openSqlite({ ...options, dataDir });
  const close = async () => {
    await stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...stores, close, [Symbol.asyncDispose]: close };
}

/**
 * A new data folder with a migrated, empty SQLite database.
 *
 * @param parent the folder around it; left out: one in memory if possible, which the test run deletes
 */
export async function migratedFolder(parent = databaseFolder()): Promise<string> {
  template ??= openTemplate();
  const file = await template;
  const folder = mkdtempSync(join(parent, 'sluice-data-'));
  copyFileSync(file, join(folder, 'sluice.db'), constants.COPYFILE_FICLONE);
  return folder;
}

let template: Promise<string> | undefined;

/** @returns the file; the first process of a run that needs it makes it */
async function openTemplate(): Promise<string> {
  const shared = process.env[RUN_FOLDER];
  const made = join(shared ?? databaseFolder(), `sqlite-${keyOf(readMigrations('sqlite'))}.db`);
  if (shared !== undefined && existsSync(made)) return made;
  const folder = mkdtempSync(join(databaseFolder(), 'sluice-template-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await openSqliteDatabase({ dataDir: folder }).close();
  } catch (error) {
    remove();
    throw error;
  }
  const file = join(folder, 'sluice.db');
  chmodSync(file, 0o600);
  if (shared === undefined) {
    process.once('exit', remove);
    return file;
  }
  copyFileSync(file, `${made}-${process.pid}`);
  renameSync(`${made}-${process.pid}`, made); // atomic, so that no other process copies a part
  remove();
  return made;
}

/**
 * A migrated, empty database on that server.
 *
 * @param queueOf the queue in a database, which has its tables then too
 */
export async function migratedDatabase(
  server: PostgresDatabases,
  queueOf?: (url: string) => PgOptions['queue'],
): Promise<string> {
  const key = `${keyOf(readMigrations('pg'))}${queueOf === undefined ? '' : '_queue'}`;
  return await server.copyDatabase(key, async (url) => {
    await (await openPgDatabase({ url, applicationName: 'sluice-template', queue: queueOf?.(url) })).close();
  });
}

/** Another one whenever a migration changes, as it does while tests watch. */
function keyOf(migrations: readonly Migration[]): string {
  const hash = createHash('sha256');
  for (const { name, sql } of migrations) hash.update(`${name}\0${sql}\0`);
  return hash.digest('hex').slice(0, 16);
}
