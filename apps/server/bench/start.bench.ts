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

// Compared with the start of Node itself, one after the other, so that a busy machine slows both. It slows them by different
// amounts all the same, which time on a processor does much less.
it('boots until it is ready, beside a Node that does nothing, and idles', { timeout: 300_000 }, async () => {
  const node: Took[] = [];
  const ready: Took[] = [];
  await startAndStop(async () => undefined); // makes the database
  for (let round = 0; round < ROUNDS; round += 1) {
    const [began, before] = [performance.now(), processorMs('self').ended];
    await run(process.execPath, ['-e', '0']);
    node.push({ wallMs: performance.now() - began, processorMs: processorMs('self').ended - before });
    ready.push(await startAndStop(async () => undefined));
  }
  let idleMib = 0;
  await startAndStop(async (pid) => {
    await pause(IDLE_AFTER_MS);
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    idleMib = Number(kib) / 1024;
  });
  const onClock = ({ wallMs }: Took) => wallMs;
  const onProcessor = ({ processorMs }: Took) => processorMs;
  report('on the clock, p50', median(node.map(onClock)), median(ready.map(onClock)));
  report('on a processor, mean', mean(node.map(onProcessor)), mean(ready.map(onProcessor)));
  process.stdout.write(`resident when idle: ${idleMib.toFixed(0)} MiB\n`);
});

interface Took {
  readonly wallMs: number;
  readonly processorMs: number;
}

/** Starts the built service and stops it after `meanwhile`. @returns what it took until it was ready */
async function startAndStop(meanwhile: (pid: number) => Promise<void>): Promise<Took> {
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
  const took = { wallMs: performance.now() - began, processorMs: processorMs(child.pid ?? 0).running };
  await meanwhile(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  return took;
}

/** The time that a process has spent on a processor, in steps of 10 ms, and that its children had spent when they ended. */
function processorMs(pid: number | 'self'): { readonly running: number; readonly ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) * 10);
  return { running: user + system, ended: endedUser + endedSystem };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/api/health/ready', agent: false }, (answer) => {
      resolve(answer.resume().statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

function report(measure: string, bare: number, booted: number): void {
  const ratio = (booted / bare).toFixed(1);
  process.stdout.write(
    `${measure}: node -e 0 ${bare.toFixed(1)} ms, boot to ready ${booted.toFixed(0)} ms, ratio ${ratio}\n`,
  );
}

/** The mean of times in steps of 10 ms, in which a median would be one of few values. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
