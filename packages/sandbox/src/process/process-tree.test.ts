import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { runnableMs } from './process-tree.ts';

it('counts the time that a process waits for a processor that others use', async () => {
  const [, processor = '0'] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const loop = 'while :; do :; done';
  const two = spawn('taskset', ['--cpu-list', processor, 'sh', '-c', `sh -c '${loop}' & echo; ${loop}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(two, 'exit');
  try {
    await once(two.stdout, 'data');
    const began = performance.now();
    const before = await runnableMs(two.pid ?? 0);
    // The two of them can use one processor between them, so without their waits it stays below 1.
    await until('both have been seen', async () => {
      const passed = performance.now() - began;
      return ((await runnableMs(two.pid ?? 0)) - before) / passed > 1.5;
    });
  } finally {
    process.kill(-(two.pid ?? 0), 'SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
});
