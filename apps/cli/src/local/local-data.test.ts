import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CommandError } from '../terminal/exit-code.ts';
import { localDataDirs, withAdvice } from './local-data.ts';

let share: string;

beforeEach(() => {
  share = mkdtempSync(join(tmpdir(), 'sluice share '));
  mkdirSync(join(share, 'sluice'));
  vi.stubEnv('DATA_DIR', '').stubEnv('XDG_DATA_HOME', share);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(share, { recursive: true });
});

it('finds the folders of runs, and none before the first run', async () => {
  expect(await localDataDirs()).toEqual([]);
  const [used, started] = ['shop-1', 'shop-2'].map((name) => join(share, 'sluice/run', name)) as [string, string];
  for (const folder of [used, started]) mkdirSync(folder, { recursive: true });
  for (const name of ['sluice.db', 'account.json']) writeFileSync(join(used, name), '');
  expect(await localDataDirs()).toEqual([used]);
});

it('says which folder cannot be read', async () => {
  writeFileSync(join(share, 'sluice/run'), '');
  await expect(localDataDirs()).rejects.toThrow(CommandError);
  await expect(localDataDirs()).rejects.toThrow(/cannot be read \(ENOTDIR\): .*sluice\/run$/);
});

it('advises to wait for a folder in use, and to choose another one only who chose it', () => {
  const inUse = Object.assign(new Error('Set DATA_DIR to another folder.'), { name: 'StartError', isInUse: true });
  expect(withAdvice(inUse)).toMatchObject({ message: expect.stringContaining('Wait for it to end, then try again.') });
  vi.stubEnv('DATA_DIR', share);
  expect(withAdvice(inUse)).toBe(inUse);
  const damaged = new Error('The database is damaged.');
  expect(withAdvice(damaged)).toBe(damaged);
});
