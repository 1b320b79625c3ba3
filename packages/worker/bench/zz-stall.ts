import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimers } from '@sluice/core';
import { openPostgres } from '@sluice/db';
import { aNewIssue, aNewRepo, aNewUser, postgresCpu, startPostgres } from '@sluice/testing';
import { createGraphileDriver } from '../src/queue/graphile-driver.ts';
const [, , workersArg = '2', roundsArg = '10', slowArg = '10000'] = process.argv;
const ISSUES = Number(process.env.ISSUES ?? 80), CAP = 20;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
await using server = await startPostgres();
if (process.env.PGLOG) await server.query(`alter system set log_lock_waits=on`);
const postgresMs = await postgresCpu(server);
for (let round = 1; round <= Number(roundsArg); round += 1) for (const workers of workersArg.split(',').map(Number)) {
  const url = await server.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const driver = createGraphileDriver({ url, applicationName: 'bench', timers: systemTimers, log: quiet });
  {
    await using stores = await openPostgres({ url, applicationName: 'bench', clock: { now: () => new Date() }, maxActivePipelines: CAP, queue: driver.queue });
    const user = aNewUser();
    await stores.users.create(user);
    for (let made = 0; made < ISSUES; made += 1) {
      const repo = aNewRepo({ userId: user.id });
      await stores.repos.create(repo);
      await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
    }
  }
  const children: ChildProcess[] = [];
  for (let n = 1; n <= workers; n += 1) {
    const execArgv = process.env.PROF ? ['--cpu-prof', `--cpu-prof-dir=/tmp/D/prof`] : [];
    const child = fork(new URL(process.env.WORKER ?? './zz-worker.ts', import.meta.url), [url, `${CAP}`, `worker-${n}`], { execArgv });
    await once(child, 'message');
    children.push(child);
  }
  const before = postgresMs();
  const began = performance.now();
  for (const c of children) c.send('go');
  let dumped = 0; let seen = -1, seenAt = performance.now();
  for (;;) {
    const [row] = await server.query(`select count(*) filter (where finished_at is null)::int as left, count(error)::int as failed, sum(last_seq)::int as seqs from issues`, name);
    if (row?.failed !== 0) console.log('FAILED', row);
    if (row?.left === 0) break;
    if (row.seqs !== seen) { seen = row.seqs; seenAt = performance.now(); dumped = 0; }
    const took = performance.now() - seenAt;
    if (took > Number(slowArg) * (dumped + 1) && dumped < 3) {
      dumped += 1;
      console.log('SLOW', round, workers, Date.now() % 1000000, row);
      console.log(await server.query(`select application_name, pid, state, wait_event_type, wait_event, left(query, 150) q, now()-query_start as age from pg_stat_activity where datname='${name}' and pid <> pg_backend_pid() and (state <> 'idle')`, name));
      console.log(await server.query(`select id, status, stage, slot, lease_owner, lease_epoch, lease_expires_at, run_after, queue_ordinal, updated_at, clock_timestamp() as now from issues where finished_at is null limit 6`, name));
      console.log(await server.query(`select key, run_at, locked_at, locked_by, attempts, max_attempts, created_at from graphile_worker._private_jobs limit 20`, name));
    }
    await pause(50);
  }
  const ms = performance.now() - began;
  const pg = postgresMs() - before;
  let cpu = 0;
  for (const child of children) { const gone = once(child, 'exit'); child.send('stop'); const [t] = await once(child, 'message') as any; cpu += t.cpuMs; await gone; }
  const xact = await server.query(`select xact_commit, xact_rollback, deadlocks, tup_returned, tup_fetched from pg_stat_database where datname='${name}'`, name);
  console.log(`${workers} workers: ${(ISSUES*1000/ms).toFixed(1)}/s, ${ms.toFixed(0)} ms, cpu ${(cpu/ISSUES).toFixed(0)} + ${(pg/ISSUES).toFixed(0)} ${JSON.stringify(xact[0])}`);
}
