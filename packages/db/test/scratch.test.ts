import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewUser, DATABASE_FOLDER, settableClock, sharedPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { openPgDatabase } from '../src/pg/open-pg-database.ts';
import { openSqliteDatabase } from '../src/sqlite/open-sqlite-database.ts';
import { describePgSchema } from './pg-schema.ts';
import { migratedDatabase, migratedFolder, openScratch } from './scratch.ts';

const clock = settableClock();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-scratch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Its schema, and how many rows each table has. */
function contentOf(file: string) {
  const connection = new Sqlite(file, { readonly: true });
  const tables = connection.prepare("select name, sql from sqlite_schema where type = 'table' order by name").all();
  const rows = (tables as { name: string }[]).map(({ name }) => [
    name,
    connection.prepare(`select count(*) as rows from "${name}"`).get(),
  ]);
  const others = connection.prepare("select sql from sqlite_schema where type <> 'table' order by name").all();
  const settings = ['auto_vacuum', 'journal_mode', 'user_version'].map((name) => connection.pragma(name));
  connection.close();
  return { tables, rows, others, settings };
}

describe('a scratch database', () => {
  it('is as the migrations make one, and no copy changes another', async () => {
    const made = newFolder();
    await openSqliteDatabase({ dataDir: made }).close();
    const copy = await migratedFolder(newFolder());
    expect(contentOf(join(copy, 'sluice.db'))).toEqual(contentOf(join(made, 'sluice.db')));
    expect(statSync(join(copy, 'sluice.db')).mode & 0o077).toBe(0);

    const stores = await openSqlite({ dataDir: copy, clock });
    expect(await stores.users.create(aNewUser())).toMatchObject({ kind: 'created' });
    await stores.close();
    const later = await migratedFolder(newFolder());
    expect(contentOf(join(later, 'sluice.db'))).toEqual(contentOf(join(made, 'sluice.db')));
  });

  it('is gone when it is closed', async () => {
    const folder = newFolder();
    vi.stubEnv(DATABASE_FOLDER, folder);
    const stores = await openScratch({ clock });
    const [own = ''] = readdirSync(folder);
    expect(existsSync(join(folder, own, 'sluice.db'))).toBe(true);
    await stores.close();
    expect(readdirSync(folder)).toEqual([]);
    await expect(stores.users.rehash('x' as never, { before: '', after: '' })).rejects.toThrow(/closed/);
  });
});

it('a copied Postgres database is as the migrations make one', async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  await (await openPgDatabase({ url, applicationName: 'scratch' })).close();
  const copies = await Promise.all([migratedDatabase(server), migratedDatabase(server)]);
  const [made, ...copied] = await Promise.all([url, ...copies].map((one) => describePgSchema(server, one)));
  expect(copied).toEqual([made, made]);
});
