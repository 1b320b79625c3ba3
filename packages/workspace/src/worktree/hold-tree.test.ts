import { spawn, spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@sluice/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../git/test/scratch.ts';
import { dropTreeLock, holdTree } from './hold-tree.ts';

const never = new AbortController().signal;

test('lets one execution after the other into the tree of an issue, and those of other issues at once', async () => {
  await using scratch = await scratchFolder();
  const release = await holdTree(scratch.path, 'one', never);
  (await holdTree(scratch.path, 'other', never))();
  let isIn = false;
  const next = holdTree(scratch.path, 'one', never).then((leave) => {
    isIn = true;
    leave();
  });
  (await holdTree(scratch.path, 'other', never))();
  expect(isIn).toBe(false);
  release();
  await next;
});

test('keeps other processes out while more executions of this process wait for the tree', async () => {
  await using scratch = await scratchFolder();
  const release = await holdTree(scratch.path, 'one', never);
  const next = holdTree(scratch.path, 'one', never);
  const other = spawnSync(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { lockFile } from ${JSON.stringify(new URL('./lock-file.ts', import.meta.url).href)};
       const wait = { waitMs: 0, held: () => new Error('held'), signal: new AbortController().signal };
       const said = await lockFile(${JSON.stringify(join(scratch.path, 'held-one.lock'))}, wait).then(
         () => 'in',
         (error) => error.message,
       );
       process.stdout.write(said);`,
    ],
    { encoding: 'utf8' },
  );
  expect(other.stdout).toBe('held');
  release();
  (await next)();
});

test('lets the next one in when the process of the last one is killed, and not while that is suspended', async () => {
  await using scratch = await scratchFolder();
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { holdTree } from ${JSON.stringify(new URL('./hold-tree.ts', import.meta.url).href)};
       const release = await holdTree(${JSON.stringify(scratch.path)}, 'one', new AbortController().signal);
       process.stdout.write('held');
       setInterval(() => release.name, 1_000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  let said = '';
  holder.stdout.on('data', (text) => {
    said += text;
  });
  await until('the other process holds the tree', () => said === 'held');
  holder.kill('SIGSTOP');
  const stop = new AbortController();
  const waiting = holdTree(scratch.path, 'one', stop.signal);
  for (let turn = 0; turn < 20; turn++) (await holdTree(scratch.path, `other-${turn}`, never))();
  stop.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  holder.kill('SIGKILL');
  (await holdTree(scratch.path, 'one', never))();
});

test('says after a while that another execution still has the tree, as of a service that is away', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await using scratch = await scratchFolder();
  const release = await holdTree(scratch.path, 'one', never);
  const waiting = holdTree(scratch.path, 'one', never);
  vi.setSystemTime(Date.now() + 60_000);
  await expect(waiting).rejects.toMatchObject({
    kind: 'unavailable',
    retry: true,
    message: expect.stringContaining('still uses'),
  });
  release();
});

test('deletes the lock of a tree that is gone, unless an execution holds it', async () => {
  await using scratch = await scratchFolder();
  const release = await holdTree(scratch.path, 'one', never);
  await dropTreeLock(scratch.path, 'one');
  expect(await readdir(scratch.path)).toEqual(['held-one.lock']);
  release();
  await dropTreeLock(scratch.path, 'one');
  await dropTreeLock(scratch.path, 'unknown');
  expect(await readdir(scratch.path)).toEqual([]);
  (await holdTree(scratch.path, 'one', never))();
});

test('never lets two in where the lock of the tree is dropped between two holders', async () => {
  await using scratch = await scratchFolder();
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const release = await holdTree(scratch.path, 'one', never);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      release();
      await dropTreeLock(scratch.path, 'one');
    }),
  );
  expect(most).toBe(1);
});
