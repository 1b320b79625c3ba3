import { systemTimers } from '@sluice/core/async';
import type { Lease } from '@sluice/core/issue';
import { openPostgres } from '@sluice/db';
import { aNewIssue, aNewRepo, aNewUser, settableClock, startPostgres } from '@sluice/testing';
import { run, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import { it } from 'vitest';
import { createGraphileDriver, graphileLogger } from '../src/queue/graphile-driver.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const CONCURRENCY = 2;

// Within an execution the next stage starts in the same process, without the queue; see `throughput.bench.ts`.
it('hands an issue to a worker, beside a bare task of graphile-worker', { timeout: 120_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const bare = await openBare(await server.createDatabase());
  const ours = await openOurs(await server.createDatabase());
  const times = await bench.compare(
    bench('a bare task, from add_job to its handler', bare.handOver),
    bench('a bare task, with a row changed in the same transaction', bare.handOverWithRow),
    bench(
      'an issue, from before the write that makes it runnable to its handler',
      { beforeEach: ours.take },
      ours.handOver,
    ),
    bench('an issue, from after that write', { beforeEach: ours.take }, ours.handOverFromCommit),
    { time: 3_000, warmupTime: 500 },
  );
  await bare.close();
  await ours.close();
  const of = (name: Parameters<typeof times.get>[0]) => times.get(name).latency;
  const task = of('a bare task, from add_job to its handler');
  const tell = (what: string, ours: typeof task, peer: typeof task) =>
    process.stdout.write(
      `${what}, p50: ${(ours.p50 / peer.p50).toFixed(2)} (${ours.p50.toFixed(2)} ms ÷ ${peer.p50.toFixed(2)} ms)\n`,
    );
  const whole = of('an issue, from before the write that makes it runnable to its handler');
  tell('hand-off ÷ bare task that changes a row', whole, of('a bare task, with a row changed in the same transaction'));
  tell('hand-off ÷ bare add_job', whole, task);
  tell('hand-off after its write ÷ bare add_job', of('an issue, from after that write'), task);
});

/** What waits for the next job's handler. */
function nextJob() {
  let come = Promise.withResolvers<void>();
  return {
    came: () => come.resolve(),
    after: async (add: () => Promise<unknown>) => {
      come = Promise.withResolvers();
      await add();
      await come.promise;
    },
  };
}

async function openBare(url: string) {
  const logger = graphileLogger(quiet);
  await runMigrations({ connectionString: url, logger });
  const job = nextJob();
  const pool = new Pool({ connectionString: url, max: CONCURRENCY + 2 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const runner = await run({
    pgPool: pool,
    logger,
    noHandleSignals: true,
    concurrency: CONCURRENCY,
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: { bare: async () => job.came() },
  });
  const client = new Pool({ connectionString: url, max: 1 });
  await client.query('create table rows (id int primary key, lease text); insert into rows values (1, null)');
  const addJob = `select graphile_worker.add_job('bare', '{"issue_id":"1"}'::json)`;
  return {
    handOver: () => job.after(() => client.query(addJob)),
    handOverWithRow: () =>
      job.after(async () => {
        await client.query('begin');
        await client.query('update rows set lease = null where id = 1 returning id');
        await client.query(addJob);
        await client.query('commit');
      }),
    close: async () => {
      await runner.stop();
      await client.end();
      await pool.end();
    },
  };
}

async function openOurs(url: string) {
  const driver = createGraphileDriver({ url, applicationName: 'bench', timers: systemTimers, log: quiet });
  const stores = await openPostgres({ url, applicationName: 'bench', clock: settableClock(), queue: driver.queue });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const { id } = aNewIssue();
  const job = nextJob();
  await driver.start({ concurrency: CONCURRENCY, handle: async () => job.came() });
  await job.after(() => stores.issues.create(aNewIssue({ id, userId: user.id, repoId: repo.id }), { queue: true }));
  let lease: Lease = { issueId: id, owner: 'nobody', epoch: 0 };
  async function take() {
    const claimed = await stores.runs.claim(id, { owner: 'bench', ttlMs: 3_600_000 });
    if (claimed === null) throw new Error('the issue could not be claimed');
    return claimed.lease;
  }
  return {
    take: async () => {
      lease = await take();
    },
    handOver: () => job.after(() => stores.runs.release(lease)),
    handOverFromCommit: async () => {
      let committed = 0;
      await job.after(async () => {
        await stores.runs.release(lease);
        committed = performance.now();
      });
      return { overriddenDuration: performance.now() - committed };
    },
    close: async () => {
      await driver.stop();
      await driver.close();
      await stores.close();
    },
  };
}
