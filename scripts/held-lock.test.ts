import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { href } = new URL('./held-lock.mjs', import.meta.url);
const take = `import(${JSON.stringify(href)}).then(({ takeLock }) => takeLock(process.argv[1]))`;

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'new/lock');
}

it('waits for the process that holds the lock', async () => {
  const lock = lockFile();
  spawnSync(process.execPath, ['-e', take, lock]);
  writeFileSync(lock, String(process.pid)); // as if this process had taken it
  const waiting = spawn(process.execPath, ['-e', take, lock]);
  await once(waiting, 'spawn');
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
  rmSync(lock);
  expect(await once(waiting, 'exit')).toEqual([0, null]);
  expect(readFileSync(lock, 'utf8')).toBe(String(waiting.pid));
});

it('takes over the lock of a process that has ended', async () => {
  const lock = lockFile();
  const { pid } = spawnSync(process.execPath, ['-e', take, lock]);
  expect(readFileSync(lock, 'utf8')).toBe(String(pid));
  const next = spawnSync(process.execPath, ['-e', take, lock]);
  expect([next.status, readFileSync(lock, 'utf8')]).toEqual([0, String(next.pid)]);
});
