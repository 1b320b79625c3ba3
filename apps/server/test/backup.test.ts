import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openSqlite } from '@sluice/db';
import { settableClock } from '@sluice/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../src/index.ts';
import { writeArchive } from '../src/storage/backup/back-up.ts';
import type { BackupManifest } from '../src/storage/backup/backup-manifest.ts';
import { readArchive } from '../src/storage/backup/restore-backup.ts';
import { fingerprint, makeInstallation, whatIsIn } from './backup-files.ts';
import { folder, restore, save } from './backup-scene.ts';

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
});

const restored = (from: string, restores: number) => ({
  ...{ database: from, attachment: from, secrets: from },
  ...{ trees: null, restores },
});

describe('a restore', () => {
  it('creates an installation in a folder that does not exist', async () => {
    const dataDir = join(folder(), 'new', 'data');
    const report = await restore(dataDir, backup);
    expect(report.kept).toBeNull();
    expect(await whatIsIn(dataDir)).toEqual(restored('ours', 1));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'sluice.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restore'))).toEqual([]);
  });

  it('keeps what was there, and removes working trees and indexes of another database', async () => {
    const dataDir = await makeInstallation('theirs');
    const { kept } = await restore(dataDir, backup);
    expect(await whatIsIn(dataDir)).toEqual(restored('ours', 1));
    expect(existsSync(join(dataDir, 'code-index.db'))).toBe(false);
    expect(await whatIsIn(kept ?? '')).toEqual(restored('theirs', 0));
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
});
