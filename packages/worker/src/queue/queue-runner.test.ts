import { systemTimers, timersOver } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import { eventually, sharedPostgres } from '@sluice/testing';
import { runMigrations } from 'graphile-worker';
import { expect, it } from 'vitest';
import { graphileLogger } from './graphile-driver.ts';
import { openQueueRunner } from './queue-runner.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Ten times as fast, so that no test waits for the grace period. */
const timers = timersOver({
  now: () => systemTimers.now() * 10,
  after: (ms, act) => systemTimers.after(ms / 10, act),
});

it('ends a few seconds after its shutdown began, whatever graphile-worker still waits for', async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const logger = graphileLogger(quiet);
  await runMigrations({ connectionString: url, logger });
  const refusal = `create function refuse() returns trigger language plpgsql as $$ begin raise 'no completion'; end $$`;
  await server.query(refusal, database);
  await server.query(
    `create trigger refuse before delete on graphile_worker._private_jobs execute function refuse()`,
    database,
  );
  const taken: IssueId[] = [];
  const runner = await openQueueRunner({
    url,
    applicationName: 'test',
    timers,
    log: quiet,
    logger,
    untilFree: async () => undefined,
    take: (issueId) => void taken.push(issueId),
    polled: () => undefined,
  });
  const listening = await eventually(async () => {
    const found = await server.query(`select pid from pg_stat_activity where query like 'LISTEN%'`, database);
    expect(found).toHaveLength(1);
    return Number(found[0]?.pid);
  });
  // Its shutdown waits for the end of LISTEN, on a connection that does not answer.
  process.kill(listening, 'SIGSTOP');
  try {
    const began = systemTimers.now();
    await server.query(`select graphile_worker.add_job('drive_issue', '{"issue_id":"one"}'::json)`, database);
    await expect(runner.ended).rejects.toThrow('the runner of the queue did not end in time');
    expect(systemTimers.now() - began).toBeLessThan(9_000); // graphile-worker would wait for 10 s at least
    expect(taken).toEqual(['one']);
  } finally {
    process.kill(listening, 'SIGCONT');
  }
  await runner.close();
});
