import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimers } from '@sluice/core';
import { openPostgres } from '@sluice/db';
import { aNewIssue, aNewRepo, aNewUser, type PostgresServer, postgresCpu, startPostgres } from '@sluice/testing';
import { it } from 'vitest';
import { createGraphileDriver } from '../src/queue/graphile-driver.ts';
import type { StageGaps } from './scripted-worker.ts';

const ISSUES = 80; // enough that a process is warm for most of them
const CAP = 20; // four workers' worth
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const gaps: Omit<StageGaps, 'cpuMs'> = { whole: [], afterWrite: [] };

/** CPU time of one run, in milliseconds. */
interface CpuOfRun {
  workersMs: number;
  postgresMs: number;
}

// Workers are processes; what they do besides stores and queue costs nothing. Where cores are fewer than processes, they are the limit.
it(`brings ${ISSUES} issues to their ends, on 1, 2 and 4 workers`, { timeout: 300_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const postgresMs = await postgresCpu(server);
  const cpu = new Map<number, CpuOfRun>();
  const work = (workers: number) => {
    let made: Awaited<ReturnType<typeof prepare>> | undefined;
    return bench(
      `${workers} workers`,
      {
        beforeEach: async () => {
          made = await prepare(server, workers);
        },
        afterEach: async () => {
          for (const child of made?.children ?? []) {
            const workersMs = await stop(child);
            const run = cpu.get(workers);
            if (run !== undefined) run.workersMs += workersMs;
          }
        },
      },
      async () => {
        const before = postgresMs();
        for (const child of made?.children ?? []) child.send('go');
        while ((await made?.left()) !== 0) await pause(50);
        cpu.set(workers, { workersMs: 0, postgresMs: postgresMs() - before });
      },
    );
  };
  const times = await bench.compare(work(1), work(2), work(4), { iterations: 1, time: 0, warmup: false });
  const perSecond = (workers: 1 | 2 | 4) => (1_000 * ISSUES) / times.get(`${workers} workers`).latency.min;
  const tell = (workers: 2 | 4) =>
    `${workers}: ${(perSecond(workers) / perSecond(1)).toFixed(2)} (${perSecond(workers).toFixed(1)})`;
  const cpuOf = (workers: 1 | 2 | 4) => {
    const { workersMs, postgresMs } = cpu.get(workers) ?? { workersMs: Number.NaN, postgresMs: Number.NaN };
    return `${workers}: ${(workersMs / ISSUES).toFixed(0)} + ${(postgresMs / ISSUES).toFixed(0)}`;
  };
  process.stdout.write(
    `CPU of an issue in ms, workers + Postgres: ${cpuOf(1)}, ${cpuOf(2)}, ${cpuOf(4)}\n` +
      `issues a second ÷ 1 worker's (${perSecond(1).toFixed(1)}): ${tell(2)}, ${tell(4)}\n` +
      `a stage ends, the next one starts in the same execution, p50: ${median(gaps.whole)} ms with the write between them, ${median(gaps.afterWrite)} ms after it\n`,
  );
});

async function prepare(server: PostgresServer, workers: number) {
  const url = await server.createDatabase();
  const driver = createGraphileDriver({ url, applicationName: 'bench', timers: systemTimers, log: quiet });
  const clock = { now: () => new Date() };
  await using stores = await openPostgres({
    url,
    applicationName: 'bench',
    clock,
    maxActivePipelines: CAP,
    queue: driver.queue,
  });
  const user = aNewUser();
  await stores.users.create(user);
  for (let made = 0; made < ISSUES; made += 1) {
    const repo = aNewRepo({ userId: user.id });
    await stores.repos.create(repo);
    await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
  }
  const children: ChildProcess[] = [];
  for (let started = 1; started <= workers; started += 1) {
    const program = new URL('./scripted-worker.ts', import.meta.url);
    const child = fork(program, [url, `${CAP}`, `worker-${started}`], { execArgv: [] });
    await once(child, 'message');
    children.push(child);
  }
  return {
    children,
    left: async () => {
      const rows = await server.query(
        `select count(*) filter (where finished_at is null)::int as left, count(error)::int as failed from issues`,
        new URL(url).pathname.slice(1),
      );
      if (rows[0]?.failed !== 0) throw new Error('an issue has failed');
      return rows[0]?.left;
    },
  };
}

/** @returns the CPU time that it used, in milliseconds */
async function stop(child: ChildProcess): Promise<number> {
  const gone = once(child, 'exit');
  child.send('stop');
  const [told] = (await once(child, 'message')) as [StageGaps];
  gaps.whole.push(...told.whole);
  gaps.afterWrite.push(...told.afterWrite);
  await gone;
  return told.cpuMs;
}

function median(of: number[]): string {
  return (of.toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0).toFixed(2);
}
