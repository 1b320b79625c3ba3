import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { startWriter } from './killed-writer.ts';

const clock = settableClock();

describe('the data folder', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-data-folder-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(dataDir, { recursive: true });
  });

  it('rejects writes, and is unhealthy, once its database was moved or deleted', async () => {
    await using stores = await openSqlite({ dataDir, clock });
    await stores.users.create(aNewUser());
    const healthy = () => stores.health.check(new AbortController().signal);
    renameSync(join(dataDir, 'sluice.db'), join(dataDir, 'elsewhere.db'));
    await expect(stores.users.create(aNewUser())).rejects.toThrow(/moved or deleted/);
    await expect(healthy()).rejects.toThrow(/moved or deleted/);
    writeFileSync(join(dataDir, 'sluice.db'), 'another file');
    await expect(stores.users.create(aNewUser())).rejects.toThrow(/moved or deleted/);
    rmSync(join(dataDir, 'sluice.db'));
    renameSync(join(dataDir, 'elsewhere.db'), join(dataDir, 'sluice.db'));
    await expect(healthy()).resolves.toBeUndefined();
  });

  it('is let go of by a close that finds the disk full', async () => {
    const stores = await openSqlite({ dataDir, clock });
    using pragma = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(() => {
      throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
    });
    await expect(stores.close()).resolves.toBeUndefined();
    expect(pragma).toHaveBeenCalled();
    pragma.mockRestore();
    await (await openSqlite({ dataDir, clock })).close();
  });

  it('belongs to one process at a time', async () => {
    await using writer = startWriter(dataDir);
    await writer.until(1);
    writer.child.kill('SIGSTOP'); // a refused start blocks this process for a moment, which then does not read its pipe
    const refusal = { name: 'DatabaseRefusal', reason: 'in_use', message: expect.stringContaining('DATA_DIR') };
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject(refusal);
    await expect(openSqlite({ dataDir, clock })).rejects.not.toMatchObject({
      message: expect.stringContaining(dataDir),
    });
    await writer.kill();
    const stores = await openSqlite({ dataDir, clock });
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject(refusal);
    await stores.close();
    await stores.close();
    await (await openSqlite({ dataDir, clock })).close();
  });

  it.each([
    ['in_use', /older release/, 'delete from migrations where name = (select max(name) from migrations)'],
    ['newer', /newer version/, "insert into migrations values ('9999_later', 0)"],
  ])('whose server has another schema (%s) admits no command', async (reason, message, change) => {
    await using _server = await openSqlite({ dataDir, clock });
    const raw = new Sqlite(join(dataDir, 'sluice.db'));
    raw.exec(change);
    const beside = openSqlite({ dataDir, clock, besideServer: true });
    await expect(beside).rejects.toMatchObject({ reason, message: expect.stringMatching(message) });
    raw.close();
  });

  it.each([
    ['damaged', (file: string) => writeFileSync(file, 'This is no database. '.repeat(100))],
    ['unreachable', (file: string) => mkdirSync(file)],
  ] as const)('that holds a database which is %s is refused, and let go of', async (reason, spoil) => {
    spoil(join(dataDir, 'sluice.db'));
    const refusal = { name: 'DatabaseRefusal', reason, message: expect.not.stringContaining(dataDir) };
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject(refusal);
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject(refusal);
  });

  it('is readable by its owner alone', async () => {
    const own = join(dataDir, 'made', 'here');
    const stores = await openSqlite({ dataDir: own, clock });
    expect(statSync(own).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(own).filter((name) => name.startsWith('sluice.db'))) {
      expect([file, statSync(join(own, file)).mode & 0o077]).toEqual([file, 0]);
    }
    await stores.close();
  });
});
