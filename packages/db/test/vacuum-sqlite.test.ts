import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, vacuumSqlite } from '../src/index.ts';
import { vacuumInto } from '../src/sqlite/vacuum-into.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-vacuum-'));
  file = join(dataDir, 'sluice.db');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => openSqlite({ dataDir, clock: settableClock() });
const figure = (name: string) => {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.pragma(name, { simple: true });
  } finally {
    database.close();
  }
};
const user = aNewUser();

/** A database of an earlier release: without auto_vacuum, and with free pages. */
async function anOldDatabase(): Promise<void> {
  const stores = await open();
  await stores.users.create(user);
  await stores.close();
  const database = new Sqlite(file);
  database.pragma('journal_mode = DELETE');
  database.pragma('auto_vacuum = NONE');
  database.exec(`vacuum; create table filler (text text);
    insert into filler with recursive r(n) as (select 1 union all select n + 1 from r where n < 5000)
      select hex(zeroblob(1000)) from r;
    drop table filler`);
  database.close();
}

describe('the vacuum of a data folder', () => {
  it('rewrites a database of an earlier release without its free pages, and lets it shrink from then on', async () => {
    await anOldDatabase();
    expect(figure('auto_vacuum')).toBe(0);
    const { before, after } = vacuumSqlite(dataDir);
    expect(after).toBeLessThan(before / 2);
    expect(statSync(file).size).toBe(after);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(figure('auto_vacuum')).toBe(2);
    expect(figure('freelist_count')).toBe(0);
    await using stores = await open();
    expect((await stores.users.get(user.id))?.email).toBe(user.email);
  });

  it('is refused while a server runs, and without a database', async () => {
    expect(() => vacuumSqlite(join(dataDir, 'none'))).toThrow(/no embedded database.*DATA_DIR/);
    await using _stores = await open();
    expect(() => vacuumSqlite(dataDir)).toThrow(expect.objectContaining({ reason: 'in_use' }));
  });

  it('is refused while another program has the database open, and leaves nothing behind', async () => {
    await anOldDatabase();
    await (await open()).close();
    using reader = {
      database: new Sqlite(file, { readonly: true }),
      [Symbol.dispose]: () => void reader.database.close(),
    };
    reader.database.prepare('select count(*) from users').get();
    expect(() => vacuumSqlite(dataDir)).toThrow(/Another program has sluice.db open/);
    expect(readdirSync(dataDir).filter((name) => name.includes('vacuum'))).toEqual([]);
  });

  it('is refused without room for the new file, and says how much it needs', async () => {
    await anOldDatabase();
    const { size } = statSync(file);
    expect(() => vacuumSqlite(dataDir, () => 1_000)).toThrow(/needs \d+ MiB, and the disk .* has 1 MiB left/);
    expect(statSync(file).size).toBe(size);
  });

  it('removes what one that was killed has left', async () => {
    await anOldDatabase();
    writeFileSync(`${file}.vacuum`, 'half');
    vacuumSqlite(dataDir);
    expect(existsSync(`${file}.vacuum`)).toBe(false);
  });

  it('leaves the removal of what one that was killed has left to the next start, too', async () => {
    await anOldDatabase();
    writeFileSync(`${file}.vacuum`, 'half');
    await (await open()).close();
    expect(existsSync(`${file}.vacuum`)).toBe(false);
  });

  it('leaves nothing of a new file that cannot be written', async () => {
    await anOldDatabase();
    const database = new Sqlite(file);
    database.exec('begin');
    expect(() => vacuumInto(database, `${file}.vacuum`)).toThrow(/within a transaction/);
    database.close();
    expect(existsSync(`${file}.vacuum`)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('gives the new file to the owner of the old one when root runs it', async () => {
    await anOldDatabase();
    chownSync(file, 1_234, 1_235);
    vacuumSqlite(dataDir);
    expect(statSync(file)).toMatchObject({ uid: 1_234, gid: 1_235, mode: 0o100600 });
  });
});
