import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, mayMountDisks, mountSmallDisk, type PostgresServer, startPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../engine/database.ts';
import { openPgDatabase } from '../pg/open-pg-database.ts';
import { openSqliteDatabase } from '../sqlite/open-sqlite-database.ts';
import { checkWrites } from './check-writes.ts';

/** A database that is checked, with a clock that the test sets. */
function checked(opened: Database) {
  let now = 0;
  const { database, health } = checkWrites(opened, () => now);
  return {
    database,
    check: () => health.check(new AbortController().signal),
    later: () => {
      now += 5_000;
    },
  };
}

/** A new database has none before its stores are opened. */
const addSlot = (database: Database) =>
  database.tx(async (db) => {
    await db.insert(database.tables.slots).values({ number: 1, retired: false });
  });

async function sqliteIn(dataDir: string): Promise<Database> {
  const database = openSqliteDatabase({ dataDir });
  onTestFinished(() => database.close());
  await addSlot(database);
  return database;
}

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-health-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Makes the open files of a database refuse what is written, as a disk that turned read-only does. */
function freeze(dataDir: string): Disposable {
  const files = ['sluice.db', 'sluice.db-wal'].map((name) => join(dataDir, name));
  execFileSync('chattr', ['+i', ...files], { stdio: 'ignore' });
  return { [Symbol.dispose]: () => void execFileSync('chattr', ['-i', ...files]) };
}

const mayFreeze = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-health-'));
  try {
    for (const name of ['sluice.db', 'sluice.db-wal']) writeFileSync(join(folder, name), '');
    freeze(folder)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

describe('the health of an embedded database', () => {
  it.runIf(mayMountDisks)('ends with the space of its disk, and is back with it', async () => {
    using disk = mountSmallDisk({ mebibytes: 16 });
    const database = openSqliteDatabase({ dataDir: join(disk.folder, 'data') });
    await addSlot(database);
    const health = checked(database);
    await health.check();
    const filling = join(disk.folder, 'filling');
    writeFileSync(filling, Buffer.alloc(disk.free()));
    await health.check(); // what was written last was written
    const refusal = { code: 'not_ready', message: expect.stringContaining('full') };
    health.later();
    // Also as long as the log of changes has room from before, into which a small change still goes.
    await expect(health.check()).rejects.toMatchObject(refusal);
    await expect(health.check()).rejects.toMatchObject(refusal);
    rmSync(filling);
    health.later();
    await health.check();
    await database.close();
  });

  it.runIf(mayMountDisks)('ends at once with a change that the disk does not take', async () => {
    using disk = mountSmallDisk({ mebibytes: 16 });
    const database = openSqliteDatabase({ dataDir: join(disk.folder, 'data') });
    await addSlot(database);
    const health = checked(database);
    await health.check();
    const tooLarge = health.database.tx(async (db) => {
      await db.insert(database.tables.installation).values({ id: 1, epoch: 'x'.repeat(32 << 20) });
    });
    await expect(tooLarge).rejects.toMatchObject({ code: 'not_ready' });
    await expect(health.check()).rejects.toMatchObject({ message: expect.stringContaining('full') });
    await database.close();
  });

  it.runIf(mayFreeze)('ends when its files take no changes, and is back when they do', async () => {
    const dataDir = scratchFolder();
    const database = await sqliteIn(dataDir);
    const health = checked(database);
    {
      using _frozen = freeze(dataDir);
      const refusal = { code: 'not_ready', message: expect.stringContaining('read-only or fails') };
      await expect(health.check()).rejects.toMatchObject(refusal);
      const ordinary = database.tx(async (db) => {
        await db.insert(database.tables.installation).values({ id: 1, epoch: 'x' });
      });
      await expect(ordinary).rejects.toMatchObject(refusal);
    }
    health.later();
    await health.check();
  });

  it('does not end when another process holds the lock for writing', async () => {
    const dataDir = scratchFolder();
    const database = await sqliteIn(dataDir);
    const other = new Sqlite(join(dataDir, 'sluice.db'));
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    await checked(database).check();
  });

  it('writes once in five seconds, however often it is asked', async () => {
    const dataDir = scratchFolder();
    const database = await sqliteIn(dataDir);
    const log = () =>
      createHash('sha1')
        .update(readFileSync(join(dataDir, 'sluice.db-wal')))
        .digest('hex');
    const health = checked(database);
    const before = log();
    await health.check();
    const first = log();
    expect(first).not.toBe(before);
    for (let n = 0; n < 50; n += 1) await health.check();
    expect(log()).toBe(first);
    health.later();
    await health.check();
    expect(log()).not.toBe(first);
  });
});

describe('the health of a Postgres database', () => {
  let server: PostgresServer;
  let url: string;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    database = await openPgDatabase({ url, applicationName: 'looked-at' });
    await addSlot(database);
  });
  afterAll(async () => {
    await database.close();
    await server[Symbol.asyncDispose]();
  });
  const name = () => new URL(url).pathname.slice(1);
  const written = async () => {
    const [row] = await server.query('select xmin::text as version from slots', name());
    return row?.version;
  };

  it('ends when the server becomes read-only, and is back when it is not', async () => {
    const health = checked(database);
    await health.check();
    const set = async (value: string) => {
      await server.query(`alter system set default_transaction_read_only = ${value}`);
      await server.query('select pg_reload_conf()');
    };
    await set('on');
    const refusal = { code: 'not_ready', message: expect.stringContaining('read-only') };
    await eventually(async () => {
      health.later();
      await expect(health.check()).rejects.toMatchObject(refusal);
    });
    await expect(health.check()).rejects.toMatchObject(refusal);
    await set('off');
    await eventually(async () => {
      health.later();
      await health.check();
    });
  });

  it('writes once in five seconds, however often it is asked', async () => {
    const health = checked(database);
    const before = await written();
    await health.check();
    const first = await written();
    expect(first).not.toBe(before);
    for (let n = 0; n < 20; n += 1) await health.check();
    expect(await written()).toBe(first);
    health.later();
    await health.check();
    expect(await written()).not.toBe(first);
  });

  it('does not end, and waits for no lock, when a long transaction holds the row', async () => {
    const health = checked(database);
    await using _held = await server.idleTransaction('select * from slots for update', name());
    const before = await written();
    await health.check();
    expect(await written()).toBe(before);
  });
});
