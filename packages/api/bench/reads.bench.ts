import { fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { it } from 'vitest';
import { copyOf, fillDataFolder, startBuilt } from './built-service.ts';
import { type Call, loadOf } from './http-load.ts';
import { median } from './median.ts';
import { nextMessage } from './next-message.ts';
import { cpuOf } from './process-cpu.ts';

const ROUNDS = 9;
const READS = 500; // a round's
const WARM_READS = 2_000;
const CONNECTIONS = 8;

// CPU of the servers' processes, not time: other processes take that. Both are up at once and are asked in turns, so that
// whatever the machine does it does to both.
it('answers reads for the CPU of a bare server', { timeout: 600_000 }, async () => {
  const { dataDir, reader } = await fillDataFolder(0);
  const bareDir = copyOf(dataDir);
  const { child: service, pid, port } = await startBuilt(dataDir);
  const bare = fork(new URL('./bare-server.ts', import.meta.url), [bareDir], {
    execArgv: [],
    env: { NODE_ENV: 'production' },
  });
  const barePort = await nextMessage<number>(bare);
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      service.kill();
      bare.kill();
    },
  };
  const me: Call = { method: 'GET', path: '/api/auth/me', cookie: reader };
  const list: Call = { method: 'GET', path: '/api/issues?limit=20', cookie: reader };
  const live: Call = { method: 'GET', path: '/api/health/live' };
  const ours = { pid, load: loadOf(port) };
  const theirs = { pid: Number(bare.pid), load: loadOf(barePort) };
  const loads = [
    { name: 'GET /api/health/live', call: live, ...ours },
    { name: 'GET /api/auth/me', call: me, ...ours },
    { name: 'GET /api/auth/me, bare', call: me, ...theirs },
    { name: 'GET /api/issues', call: list, ...ours },
    { name: 'GET /api/issues, bare', call: list, ...theirs },
  ];
  for (const { load, call } of loads)
    await load.send(
      Array.from({ length: WARM_READS }, () => call),
      CONNECTIONS,
    );
  const cpu = loads.map((): number[] => []);
  const rates = loads.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { load, call, pid }] of loads.entries()) {
      const before = cpuOf(pid);
      const { seconds, bodies } = await load.send(
        Array.from({ length: READS }, () => call),
        CONNECTIONS,
      );
      cpu[at]?.push((cpuOf(pid) - before) / READS);
      rates[at]?.push(READS / seconds);
      if (call === list && bodies.some((body) => JSON.parse(body).items.length !== 20))
        throw new Error('A list is short.');
    }
  }
  const [liveCpu = 0, meCpu = 0, bareMe = 0, listCpu = 0, bareList = 0] = cpu.map(median);
  for (const [at, { name }] of loads.entries()) {
    const [used = [], rate = []] = [cpu[at], rates[at]];
    process.stdout.write(`${name}: ${median(used).toFixed(0)} µs of CPU, ${median(rate).toFixed(0)} a second\n`);
  }
  process.stdout.write(
    `me: ${(meCpu / bareMe).toFixed(2)} × bare, ${(meCpu / liveCpu).toFixed(2)} × live\n` +
      `list: ${(listCpu / bareList).toFixed(2)} × bare, ${(listCpu / liveCpu).toFixed(2)} × live\n` +
      `load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
});
