import { execFile, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '@sluice/testing';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../git/test/scratch.ts';
import { createRepoLock } from './workspace-host.ts';

const never = new AbortController().signal;

test('lets one in at a time, in the order in which they came', async () => {
  await using scratch = await scratchFolder();
  const lock = createRepoLock(scratch.path);
  const order: number[] = [];
  let inside = 0;
  await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      lock('r', never, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await sleep(1);
        order.push(turn);
        inside -= 1;
      }),
    ),
  );
  expect(order).toEqual(Array.from({ length: 12 }, (_, turn) => turn));
});

test('does not let different names wait for each other', async () => {
  await using scratch = await scratchFolder();
  const lock = createRepoLock(scratch.path);
  expect(await lock('a', never, () => lock('b', never, async () => 'both'))).toBe('both');
});

test('lets the next one in after a failure, and lets one that waits give up', async () => {
  await using scratch = await scratchFolder();
  const lock = createRepoLock(scratch.path);
  await expect(lock('r', never, () => Promise.reject(new Error('inside')))).rejects.toThrow('inside');
  const cancel = new AbortController();
  await lock('r', never, async () => {
    const waiting = lock('r', cancel.signal, async () => 'never');
    cancel.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
  });
  expect(await lock('r', never, async () => 'in')).toBe('in');
});

test('keeps another process out until it lets go or is killed', async () => {
  await using scratch = await scratchFolder();
  const holder = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module-typescript',
      '-e',
      `import { createRepoLock } from ${JSON.stringify(new URL('./workspace-host.ts', import.meta.url).href)};
       await createRepoLock(${JSON.stringify(scratch.path)})('r', new AbortController().signal, () => {
         process.stdout.write('held');
         // The timer holds \`resolve\`: work that nothing refers to is garbage, and its lock with it.
         return new Promise((resolve) => setInterval(() => { gc(); return resolve; }, 20));
       });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  let said = '';
  holder.stdout.on('data', (text) => {
    said += text;
  });
  await until('the other process holds the lock', () => said === 'held');
  const lock = createRepoLock(scratch.path);
  let entered = false;
  const waiting = lock('r', never, async () => {
    entered = true;
  });
  // Takes as many steps as the one that waits, so that it has had its turns.
  for (let turn = 0; turn < 20; turn++) await lock(`other-${turn}`, never, async () => undefined);
  expect(entered).toBe(false);
  holder.kill('SIGKILL');
  await waiting;
  expect(entered).toBe(true);
});

/** Tries the lock on a file system of 64 KiB that is full. */
const ON_A_FULL_DISK = `
  const [, folder, module] = process.argv;
  const { closeSync, openSync, writeSync } = await import('node:fs');
  const file = openSync(folder + '/fill', 'w');
  try { for (;;) writeSync(file, Buffer.alloc(4096)); } catch { closeSync(file); }
  const { createRepoLock } = await import(module);
  const lock = createRepoLock(folder);
  const code = await lock('r', new AbortController().signal, async () => 'held').catch((error) => error.code);
  process.stdout.write(String(code));`;

test('lets in also on a full disk, because what frees the disk takes the lock too', async () => {
  await using scratch = await scratchFolder();
  const module = new URL('./workspace-host.ts', import.meta.url).href;
  const disk = ['--dev-bind', '/', '/', '--size', '65536', '--tmpfs', scratch.path];
  const node = [process.execPath, '--input-type=module', '-e', ON_A_FULL_DISK, scratch.path, module];
  const { stdout } = await promisify(execFile)('bwrap', [...disk, ...node]);
  expect(stdout).toBe('held');
});
