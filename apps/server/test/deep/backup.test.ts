import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isSoakRun } from '@sluice/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprint, makeInstallation, whatIsIn } from '../backup-files.ts';
import { folder, restore, save } from '../backup-scene.ts';

// Usual way: apps/server/test/backup.test.ts

const AT_ONCE = 4;

/** The soak run kills at every change of the disk, `npm test` at one in so many. */
const STRIDE = isSoakRun ? 1 : 4;

const script = fileURLToPath(new URL('../backup-and-die.ts', import.meta.url));

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
        { database: 'theirs', attachment: 'theirs', secrets: 'theirs', trees: 'theirs', restores: 0 },
        { database: 'ours', attachment: 'ours', secrets: 'ours', trees: null, restores: 1 },
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
