import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openSqlite } from '@sluice/db';
import { isSoakRun, settableClock } from '@sluice/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../src/index.ts';
import type { BackupManifest } from '../src/storage/backup/backup-manifest.ts';
import { readArchive } from '../src/storage/backup/read-archive.ts';
import { writeArchive } from '../src/storage/backup/write-archive.ts';
import { fingerprint, makeInstallation, whatIsIn } from './backup-files.ts';

const AT_ONCE = 4;
/** The soak run kills at every change of the disk, `npm test` at one in so many. */
const STRIDE = isSoakRun ? 1 : 4;

const script = fileURLToPath(new URL('./backup-and-die.ts', import.meta.url));
const folder = () => mkdtempSync(join(tmpdir(), 'sluice-backup-'));
const save = (dataDir: string, file: string, replace = false) =>
  backUp({ file, replace, overrides: { DATA_DIR: dataDir }, dotEnv: false });
const restore = (dataDir: string, file: string) =>
  restoreBackup({ file, overrides: { DATA_DIR: dataDir }, dotEnv: false, confirmReplace: async () => {} });

/** Runs the script; @returns whether it came to its end */
async function dies(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(`the script ended with ${code}`);
  return signal === 'SIGKILL';
}

function isTheSame(packed: Buffer, tar: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(tar);
  } catch {
    return false;
  }
}

let ours: string;
let backup: string;
beforeAll(async () => {
  ours = await makeInstallation('ours');
  backup = join(folder(), 'b.tar.gz');
  await save(ours, backup);
});

describe('a backup', () => {
  it('holds the database, the secrets and a manifest, and plain tar unpacks it', async () => {
    const target = folder();
    execFileSync('tar', ['-xzf', backup, '-C', target]);
    expect(readdirSync(target).toSorted()).toEqual(['manifest.json', 'secrets.json', 'sluice.db']);
    expect(readFileSync(join(target, 'secrets.json'))).toEqual(readFileSync(join(ours, 'secrets.json')));
    const manifest = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as BackupManifest;
    expect(manifest.tables).toContainEqual({ name: 'issues', rows: 1 }); // it was in the WAL alone
    expect(manifest.secrets).toEqual([
      { variable: 'SESSION_SECRET', from: 'secrets.json' },
      { variable: 'ENCRYPTION_KEYS', from: 'secrets.json' },
    ]);
    for (const name of ['secrets.json', 'sluice.db', 'manifest.json']) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(manifest)).not.toContain('xxxx');
  });

  it('replaces an existing file only when that was confirmed', async () => {
    const file = join(folder(), 'mine');
    writeFileSync(file, 'mine');
    await expect(save(ours, file)).rejects.toThrow(/already exists: name another file, or add --yes/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await save(ours, file, true);
    expect(statSync(file).size).toBeGreaterThan(1_000);
    const twice = join(folder(), 'twice');
    const ends = await Promise.allSettled([save(ours, twice), save(ours, twice)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('lists the secrets that it lacks because the environment provides them', async () => {
    const file = join(folder(), 'b');
    const SESSION_SECRET = 's'.repeat(40);
    const ENCRYPTION_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;
    const { secrets, files } = await backUp({
      file,
      replace: false,
      overrides: { DATA_DIR: ours, SESSION_SECRET, ENCRYPTION_KEYS },
      dotEnv: false,
    });
    expect(secrets.map(({ from }) => from)).toEqual(['environment', 'environment']);
    expect(files.map(({ name }) => name)).toEqual(['sluice.db']);
    expect(gunzipSync(readFileSync(file)).includes(SESSION_SECRET)).toBe(false);
  });

  it('is refused without an embedded database, and for Postgres, with what to do', async () => {
    await expect(save(folder(), join(folder(), 'b'))).rejects.toThrow(/no embedded database in the data folder/);
    const shared = {
      DATA_DIR: ours,
      DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none',
      SESSION_SECRET: 's'.repeat(40),
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    };
    const options = { file: join(folder(), 'b'), overrides: shared, dotEnv: false };
    await expect(backUp({ ...options, replace: false })).rejects.toThrow(/^(?!.*hunter2).*pg_dump.*ENCRYPTION_KEYS/s);
    await expect(restoreBackup({ ...options, confirmReplace: async () => {} })).rejects.toThrow(/pg_restore/);
  });

  it('leaves the previous backup whole wherever it is killed, and removes its partial files a day later', async () => {
    const place = folder();
    const file = join(place, 'b');
    await save(ours, file);
    const before = readFileSync(file);
    let kills = 0;
    while (await dies(['backup', ours, file, String(kills * STRIDE + 1)])) {
      kills += 1;
      const now = readFileSync(file);
      if (!now.equals(before)) await restore(join(folder(), 'data'), file);
    }
    expect(kills * STRIDE).toBeGreaterThan(4);
    const litter = readdirSync(place).filter((name) => name.includes('partial'));
    expect(litter.length * STRIDE).toBeGreaterThan(2);
    for (const name of litter) utimesSync(join(place, name), 0, 0);
    await save(ours, file, true);
    expect(readdirSync(place)).toEqual(['b']);
  });
});

describe('a restore', () => {
  it('creates an installation in a folder that does not exist', async () => {
    const dataDir = join(folder(), 'new', 'data');
    const report = await restore(dataDir, backup);
    expect(report.kept).toBeNull();
    expect(await whatIsIn(dataDir)).toEqual({ database: 'ours', secrets: 'ours', trees: null, restores: 1 });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'sluice.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restore'))).toEqual([]);
  });

  it('keeps what was there, and removes working trees and indexes of another database', async () => {
    const dataDir = await makeInstallation('theirs');
    const { kept } = await restore(dataDir, backup);
    expect(await whatIsIn(dataDir)).toEqual({ database: 'ours', secrets: 'ours', trees: null, restores: 1 });
    expect(existsSync(join(dataDir, 'code-index.db'))).toBe(false);
    expect(await whatIsIn(kept ?? '')).toEqual({ database: 'theirs', secrets: 'theirs', trees: null, restores: 0 });
  });

  it('is refused while a server uses the folder, or without confirmation, and changes nothing', async () => {
    const dataDir = await makeInstallation('theirs');
    const before = fingerprint(dataDir);
    const refusal = restoreBackup({
      file: backup,
      overrides: { DATA_DIR: dataDir },
      dotEnv: false,
      confirmReplace: async () => {
        throw new Error('no');
      },
    });
    await expect(refusal).rejects.toThrow('no');
    expect(fingerprint(dataDir)).toEqual(before);
    const stores = await openSqlite({ dataDir, clock: settableClock() });
    await expect(restore(dataDir, backup)).rejects.toThrow(/Another Sluice process uses this data folder/);
    await stores.close();
    expect((await whatIsIn(dataDir)).database).toBe('theirs');
  });

  it('refuses a truncated or modified backup and changes nothing', async () => {
    const dataDir = await makeInstallation('theirs');
    const before = fingerprint(dataDir);
    const whole = readFileSync(backup);
    const place = folder();
    const refused = async (content: Buffer, name: string) => {
      writeFileSync(join(place, name), content);
      await expect(restore(dataDir, join(place, name)), name).rejects.toThrow(/damaged or incomplete/);
      expect(fingerprint(dataDir), name).toEqual(before);
    };
    for (const part of [0, 0.001, 0.1, 0.5, 0.9, 0.999]) {
      await refused(whole.subarray(0, Math.floor(whole.length * part)), `cut at ${part}`);
    }
    await refused(whole.subarray(0, whole.length - 1), 'cut by a byte');
    const tar = gunzipSync(whole);
    for (let at = 20; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      // A padding bit carries no data.
      if (!isTheSame(changed, tar)) await refused(changed, `changed at ${at}`);
    }
    for (let at = 600; at < tar.length; at += Math.ceil(tar.length / 25)) {
      const changed = Buffer.from(tar);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const packed = gzipSync(changed); // its checksum is right again
      writeFileSync(join(place, 'repacked'), packed);
      const ended = await restore(join(folder(), 'data'), join(place, 'repacked')).then(
        ({ tables }) => tables.length,
        (error: Error) => error.message,
      );
      // A padding byte carries no data.
      if (typeof ended === 'string') expect(ended).toMatch(/damaged or incomplete|newer/);
    }
    await refused(Buffer.from('not an archive'), 'text');
    await refused(gzipSync('not an archive'), 'packed text');
    expect((await whatIsIn(dataDir)).database).toBe('theirs');
  });

  it('refuses a backup of a newer version before it touches anything', async () => {
    const members: { name: string; content: Buffer }[] = [];
    for await (const { name, content } of readArchive(backup)) {
      const chunks: Buffer[] = [];
      for await (const chunk of content) chunks.push(chunk);
      members.push({ name, content: Buffer.concat(chunks) });
    }
    const manifest = JSON.parse(String(members[0]?.content)) as BackupManifest;
    const dataDir = join(folder(), 'data');
    for (const [name, newer] of Object.entries({
      format: { ...manifest, format: 2, sluice_version: '9.0.0' },
      changes: { ...manifest, changes: [...manifest.changes, '9999_of_tomorrow'] },
    })) {
      const file = join(folder(), name);
      const content = Buffer.from(JSON.stringify(newer));
      const archived = [{ name: 'manifest.json', content }, ...members.slice(1)];
      await writeArchive(
        file,
        archived.map((member) => ({ ...member, size: member.content.length, content: [member.content] })),
      );
      await expect(restore(dataDir, file)).rejects.toThrow(/newer/);
      expect(existsSync(dataDir)).toBe(false);
    }
  });

  it('leaves the old or the new installation whole wherever it is killed, and the next start finishes it', async () => {
    const theirs = await makeInstallation('theirs');
    const seen = new Set<string>();
    /** @returns whether it was killed, and did not come to its end before */
    const killedAt = async (change: number): Promise<boolean> => {
      const dataDir = join(folder(), 'data');
      cpSync(theirs, dataDir, { recursive: true });
      const killed = await dies(['restore', dataDir, backup, String(change)]);
      const found = await whatIsIn(dataDir);
      seen.add(found.database);
      expect([
        { database: 'theirs', secrets: 'theirs', trees: 'theirs', restores: 0 },
        { database: 'ours', secrets: 'ours', trees: null, restores: 1 },
      ]).toContainEqual(found);
      if (found.database === 'ours') {
        const kept = readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'));
        expect(kept).toHaveLength(1);
        expect((await whatIsIn(join(dataDir, kept[0] ?? ''))).database).toBe('theirs');
        expect(existsSync(join(dataDir, 'restore.ready'))).toBe(false);
      } else {
        await restore(dataDir, backup); // over what the killed one left
        expect((await whatIsIn(dataDir)).database).toBe('ours');
      }
      return killed;
    };
    let kills = 0;
    for (let change = 1; ; change += AT_ONCE * STRIDE) {
      const changes = Array.from({ length: AT_ONCE }, (_none, index) => change + index * STRIDE);
      const killed = await Promise.all(changes.map(killedAt));
      kills += killed.filter(Boolean).length;
      if (killed.includes(false)) break;
    }
    expect(kills * STRIDE).toBeGreaterThan(12);
    expect([...seen].toSorted()).toEqual(['ours', 'theirs']);
  });
});
