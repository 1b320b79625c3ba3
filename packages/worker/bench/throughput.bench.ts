import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimers } from '@sluice/core/async';
import { openPostgres } from '@sluice/db';
import { aNewIssue, aNewRepo, aNewUser, type PostgresServer, postgresCpu, startPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { it } from 'vitest';
import { createGraphileDriver } from '../src/queue/graphile-driver.ts';
import type { StageGaps } from './scripted-worker.ts';

const ISSUES = 100; // measured
/** Before those, unmeasured, for each worker: a process and its connections take 1.4 s of CPU to become warm, as 30 issues do. */
const WARM_UP = 60;
const CAP = 20; // four workers' worth
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const gaps: Omit<StageGaps, 'cpuMs'> = { whole: [], afterWrite: [] };

/** The cost of one run, in milliseconds. */
interface Cost {
  readonly wallMs: number;
  /** CPU time of the workers. */
  readonly workersMs: number;
  /** CPU time of Postgres. */
  readonly postgresMs: number;
  /** Time in which the event loops of the workers were ready to run and had no core. */
  readonly corelessMs: number;
}

// Workers are processes; what they do besides stores and queue costs nothing. Where cores are fewer than processes, they are the limit.
it(`brings ${ISSUES} issues to their ends, on 1, 2 and 4 workers`, { timeout: 600_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const postgresMs = await postgresCpu(server);
  const costs = new Map<number, Cost>();
  const work = (workers: number) => {
    let made: Awaited<ReturnType<typeof prepare>> | undefined;
    let before = 0;
    return bench(
      `${workers} workers`,
      {
        beforeEach: async () => {
          made = await prepare(server, workers);
          await made.untilLeft(ISSUES, 'go');
          before = postgresMs();
        },
        afterEach: async () => {
          await made?.database.end();
        },
      },
      async () => {
        const children = made?.children ?? [];
        const coreless = corelessMs(children);
        const began = performance.now();
        await made?.untilLeft(0, 'measure');
        const wallMs = performance.now() - began;
        const waitedMs = corelessMs(children) - coreless;
        const usedMs = postgresMs() - before; // before the stop, which is not part of the work
        let workersMs = 0;
        for (const child of children) workersMs += await stop(child);
        costs.set(workers, { wallMs, workersMs, postgresMs: usedMs, corelessMs: waitedMs });
      },
    );
  };
  await bench.compare(work(1), work(2), work(4), { iterations: 1, time: 0, warmup: false });
  for (const [workers, { wallMs, workersMs, postgresMs, corelessMs }] of costs) {
    const share = (ms: number) => `${((100 * ms) / (wallMs * workers)).toFixed(0)} %`;
    process.stdout.write(
      `${workers} workers: ${((1_000 * ISSUES) / wallMs).toFixed(1)} issues a second; CPU of an issue: workers ` +
        `${(workersMs / ISSUES).toFixed(1)} + Postgres ${(postgresMs / ISSUES).toFixed(1)} ms, on ` +
        `${((workersMs + postgresMs) / wallMs).toFixed(2)} cores; a worker runs ${share(workersMs)} of the time and is ready without a core ${share(corelessMs)}\n`,
    );
  }
  process.stdout.write(
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
  for (let made = 0; made < WARM_UP * workers + ISSUES; made += 1) {
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
  const database = new Client(url); // one connection: to open one for each look would be a part of Postgres' CPU time
  await database.connect();
  return {
    children,
    database,
    /** Tells the workers to begin, and waits until so many issues or fewer are left. */
    untilLeft: async (few: number, begin: 'go' | 'measure') => {
      for (const child of children) child.send(begin);
      for (;;) {
        const { rows } = await database.query(
          'select count(*) filter (where finished_at is null)::int as left, count(error)::int as failed from issues',
        );
        if (rows[0]?.failed !== 0) throw new Error('an issue has failed');
        if (rows[0]?.left <= few) return;
        await pause(50);
      }
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

/** The second figure of `schedstat`, in nanoseconds: for how long the main thread waited in the run queue, see the kernel's sched-stats. */
function corelessMs(children: readonly ChildProcess[]): number {
  const waited = children.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6);
  return waited.reduce((sum, ms) => sum + ms, 0);
}

function median(of: number[]): string {
  return (of.toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0).toFixed(2);
}
