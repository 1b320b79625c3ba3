import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { builtProgram, freePort } from '@sluice/testing';
import { afterAll, it } from 'vitest';

const run = promisify(execFile);
const program = await builtProgram('server');
const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const ROUNDS = 15;
const IDLE_AFTER_MS = 10_000; // the sandbox has been tried and the first sweeps are over

// Compared with the start of Node itself, one after the other, so that a busy machine slows both.
it('boots until it is ready, beside a Node that does nothing, and idles', { timeout: 300_000 }, async () => {
  const node: number[] = [];
  const ready: number[] = [];
  await startAndStop(async () => undefined); // makes the database
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await run(process.execPath, ['-e', '0']);
    node.push(performance.now() - began);
    ready.push(await startAndStop(async () => undefined));
  }
  let idleMib = 0;
  await startAndStop(async (pid) => {
    await pause(IDLE_AFTER_MS);
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    idleMib = Number(kib) / 1024;
  });
  const [quickest, bare] = [median(ready), median(node)];
  process.stdout.write(`node -e 0, p50: ${bare.toFixed(1)} ms\n`);
  process.stdout.write(`boot to ready, p50: ${quickest.toFixed(0)} ms\n`);
  process.stdout.write(`boot to ready ÷ node -e 0: ${(quickest / bare).toFixed(1)}\n`);
  process.stdout.write(`resident when idle: ${idleMib.toFixed(0)} MiB\n`);
});

/** Starts the built service and stops it after `meanwhile`. @returns the milliseconds until it was ready */
async function startAndStop(meanwhile: (pid: number) => Promise<void>): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [program], {
    cwd: dataDir,
    // The path has git and bubblewrap.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: dataDir, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  if (child.stdout !== null) await once(child.stdout, 'data'); // it listens: before that a poll only takes its cores
  while (!(await isReady(port))) await pause(2);
  const tookMs = performance.now() - began;
  await meanwhile(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  return tookMs;
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/api/health/ready', agent: false }, (answer) => {
      resolve(answer.resume().statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
