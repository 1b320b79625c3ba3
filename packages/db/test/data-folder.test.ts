import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { IssueId } from '@sluice/core';
import { aNewUser, replayStatus, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../src/index.ts';
import type { Acknowledged } from './write-until-killed.ts';

const clock = settableClock();
const script = fileURLToPath(new URL('./write-until-killed.ts', import.meta.url));

describe('the data folder', () => {
  let dataDir: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-data-folder-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const child of children.splice(0)) await kill(child);
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

  function startWriter(): { child: ChildProcess; acknowledged: Acknowledged[]; until(count: number): Promise<void> } {
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const acknowledged: Acknowledged[] = [];
    let talk = '';
    child.stderr?.on('data', (text) => {
      talk += text;
    });
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    lines.on('line', (line) => acknowledged.push(JSON.parse(line)));
    const until = (count: number) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (acknowledged.length >= count) resolve();
        };
        lines.on('line', look);
        child.once('exit', () => reject(new Error(`the writer ended by itself: ${talk}`)));
        look();
      });
    return { child, acknowledged, until };
  }

  it('belongs to one process at a time', async () => {
    const writer = startWriter();
    await writer.until(1);
    writer.child.kill('SIGSTOP'); // a refused start blocks this process for a moment, which then does not read its pipe
    const refusal = { name: 'DatabaseRefusal', reason: 'in_use', message: expect.stringContaining('DATA_DIR') };
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject(refusal);
    await expect(openSqlite({ dataDir, clock })).rejects.not.toMatchObject({
      message: expect.stringContaining(dataDir),
    });
    await kill(writer.child);
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

  it('keeps every write that was acknowledged, and no half of one, when its process is killed', async () => {
    const acknowledged: Acknowledged[] = [];
    for (const count of [1, 40, 173]) {
      const writer = startWriter();
      await writer.until(count);
      await kill(writer.child);
      acknowledged.push(...writer.acknowledged);

      const stores = await openSqlite({ dataDir, clock });
      for (const { issueId, seq } of acknowledged) {
        const id = issueId as IssueId;
        const events = await stores.issues.events(id, { after: 0, limit: 1_000 });
        expect(events.length).toBeGreaterThanOrEqual(seq);
        expect(replayStatus(events)).toBe((await stores.issues.get(id))?.status);
        const messages = events.filter(({ type }) => type === 'user.message');
        expect(await stores.runs.journal(id, { stage: 'implement', round: 1 })).toHaveLength(messages.length);
      }
      // What it was working on can be taken over at once.
      await stores.runs.expireLeases();
      const open = await stores.runs.claimable(10);
      expect(open.length).toBeLessThanOrEqual(2);
      for (const id of open) expect(await stores.runs.claim(id, { owner: 'successor', ttlMs: 1 })).not.toBeNull();
      await stores.close();
      expectSound(join(dataDir, 'sluice.db'));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(214);
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

function expectSound(file: string): void {
  const database = new Sqlite(file, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close'); // after the last of its output was read
  child.kill('SIGKILL');
  await closed;
}
