import { systemTimers, type Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import { QUEUE_SILENT_MS } from '@sluice/core/issue';
import { eventually, type PostgresDatabases, sharedPostgres, startPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGraphileDriver, type GraphileDriver, type GraphileOptions } from './graphile-driver.ts';
import { countUntakenJobs } from './untaken-jobs.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const id = (number: number) => `0198a1b2-0000-7000-8000-${String(number).padStart(12, '0')}` as IssueId;

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

async function open(on = server) {
  const url = await on.copyDatabase('queue', async (filled) => {
    await createGraphileDriver({
      url: filled,
      applicationName: 'test',
      timers: systemTimers,
      log: quiet,
    }).queue.migrate();
  });
  const drivers: GraphileDriver[] = [];
  const openDriver = (options: Partial<GraphileOptions> = {}) => {
    const driver = createGraphileDriver({ url, applicationName: 'test', timers: systemTimers, log: quiet, ...options });
    drivers.push(driver);
    return driver;
  };
  const driver = openDriver();
  const sql = async (text: string, values: unknown[] = []) => {
    const client = new Client(url);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    url,
    driver,
    openDriver,
    sql,
    add: (issueId: IssueId, inMs = 0) => sql(driver.queue.addJob, [issueId, inMs]),
    /** The issues that have jobs. */
    waiting: async () => {
      const jobs = await sql(`select payload ->> 'issue_id' as of from graphile_worker._private_jobs`);
      return jobs.map((job) => job.of as IssueId);
    },
    [Symbol.asyncDispose]: async () => {
      for (const opened of drivers) {
        await opened.stop();
        await opened.close();
      }
    },
  };
}

/** A driver whose watch looks when `passFiveSeconds` is called, with what it says. */
async function openWatched(opened: Awaited<ReturnType<typeof open>>) {
  const seen = { said: [] as string[], handled: [] as IssueId[], dead: 0 };
  const checks: (() => void)[] = [];
  let passedMs = 0;
  const driver = opened.openDriver({
    timers: {
      ...systemTimers,
      now: () => systemTimers.now() + passedMs,
      every: (ms, act) => {
        if (ms === 5_000) checks.push(act);
        return () => undefined;
      },
    },
    log: { ...quiet, warn: (_, message) => void seen.said.push(message) },
    onDead: () => {
      seen.dead += 1;
    },
  });
  await driver.start({ concurrency: 1, handle: async (issueId) => void seen.handled.push(issueId) });
  const passFiveSeconds = () => {
    passedMs += 5_000;
    for (const check of checks) check();
  };
  return { driver, seen, passFiveSeconds };
}

const SILENT = 'the queue is silent although the database answers, and is replaced';

describe('the driver over graphile-worker', () => {
  it('brings an issue as soon as the transaction that added its job is committed, and never one of a rollback', async () => {
    await using opened = await open();
    const handled: IssueId[] = [];
    await opened.driver.start({ concurrency: 2, handle: async (issueId) => void handled.push(issueId) });
    const client = new Client(opened.url);
    await client.connect();
    await client.query('begin');
    await client.query(opened.driver.queue.addJob, [id(1), 0]);
    await client.query('rollback');
    await client.query('begin');
    await client.query(opened.driver.queue.addJob, [id(2), 0]);
    expect(handled).toEqual([]);
    await client.query('commit');
    await client.end();
    await eventually(() => expect(handled).toEqual([id(2)]));
  });

  it('shares the work between processes, each issue with one of them', async () => {
    await using opened = await open();
    const handled: [string, IssueId][] = [];
    const other = opened.openDriver();
    const handle = (who: string) => async (issueId: IssueId) => void handled.push([who, issueId]);
    await opened.driver.start({ concurrency: 2, handle: handle('one') });
    await other.start({ concurrency: 2, handle: handle('other') });
    for (let number = 0; number < 30; number += 1) await opened.add(id(number));
    await eventually(() => expect(handled).toHaveLength(30));
    expect(new Set(handled.map(([, issueId]) => issueId)).size).toBe(30);
  });

  it('brings an issue again that became runnable while it was driven', async () => {
    await using opened = await open();
    let driven = 0;
    const held = Promise.withResolvers<void>();
    await opened.driver.start({
      concurrency: 2,
      handle: async () => {
        driven += 1;
        if (driven === 1) await held.promise;
      },
    });
    await opened.add(id(1));
    await eventually(() => expect(driven).toBe(1));
    await opened.add(id(1));
    await eventually(() => expect(driven).toBe(2));
    held.resolve();
  });

  it('brings an issue again that became runnable in the moment in which its earlier job was taken', async () => {
    await using opened = await open();
    await opened.add(id(1));
    const taker = new Client(opened.url);
    await taker.connect();
    await taker.query('begin');
    // graphile-worker takes a job with this update, which is not committed yet.
    await taker.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'other', attempts = 1`);
    let isAdded = false;
    const added = opened.add(id(1)).then(() => {
      isAdded = true;
    });
    await eventually(async () => expect(isAdded || (await waitsForLock(opened.sql))).toBe(true));
    await taker.query('commit');
    await taker.end();
    await added;
    const handled: IssueId[] = [];
    await opened.driver.start({ concurrency: 1, handle: async (issueId) => void handled.push(issueId) });
    await eventually(() => expect(handled).toEqual([id(1)]));
  });

  it('adds one job for an issue that waits, however often the lease sweep finds it', async () => {
    await using opened = await open();
    const held = Promise.withResolvers<void>();
    const handled: IssueId[] = [];
    await opened.driver.start({
      concurrency: 1,
      handle: async (issueId) => {
        handled.push(issueId);
        await held.promise;
      },
    });
    await opened.add(id(1));
    await eventually(() => expect(handled).toEqual([id(1)]));
    opened.driver.runnable([id(2), id(2), id(2), id(3)]);
    await eventually(async () => expect(await opened.waiting()).toContain(id(3))); // added last
    expect((await opened.waiting()).toSorted()).toEqual([id(2), id(3)]);
    held.resolve();
  });

  it('delivers an issue of a dead process as soon as it is reported runnable', async () => {
    await using opened = await open();
    await opened.add(id(1));
    // graphile-worker leaves the job so when a process is killed: locked, for up to four hours.
    await opened.sql(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a dead worker', attempts = 1`,
    );
    const handled: IssueId[] = [];
    await opened.driver.start({ concurrency: 1, handle: async (issueId) => void handled.push(issueId) });
    opened.driver.runnable([id(1)]);
    await eventually(() => expect(handled).toEqual([id(1)]));
  });

  it('waits with an issue that is due later', async () => {
    await using opened = await open();
    const handled: IssueId[] = [];
    await opened.driver.start({ concurrency: 1, handle: async (issueId) => void handled.push(issueId) });
    await opened.add(id(1), 3_600_000);
    await opened.add(id(2), 1);
    await eventually(() => expect(handled).toEqual([id(2)]));
    // The job of the other one is deleted when it was taken.
    await eventually(async () => expect(await opened.waiting()).toEqual([id(1)]));
    expect(handled).toEqual([id(2)]);
  });

  it('continues with other issues when a handler throws, and leaves no job behind', async () => {
    await using opened = await open();
    const handled: IssueId[] = [];
    await opened.driver.start({
      concurrency: 1,
      handle: async (issueId) => {
        handled.push(issueId);
        if (issueId === id(1)) throw new Error('reported already');
      },
    });
    await opened.add(id(1));
    await opened.add(id(2));
    await eventually(() => expect(handled).toEqual([id(1), id(2)]));
    await eventually(async () => expect(await opened.sql('select id from graphile_worker.jobs')).toEqual([]));
  });

  it('takes no new job after a stop, and waits for those it has', async () => {
    await using opened = await open();
    const log: string[] = [];
    const held = Promise.withResolvers<void>();
    await opened.driver.start({
      concurrency: 1,
      handle: async (issueId) => {
        log.push(`begins ${issueId}`);
        await held.promise;
        log.push(`ends ${issueId}`);
      },
    });
    await opened.add(id(1));
    await eventually(() => expect(log).toHaveLength(1));
    const stopped = opened.driver.stop().then(() => log.push('stopped'));
    await opened.add(id(2));
    held.resolve();
    await stopped;
    expect(log).toEqual([`begins ${id(1)}`, `ends ${id(1)}`, 'stopped']);
  });

  it('takes no job and closes when it is stopped during its start', async () => {
    await using opened = await open();
    const handled: IssueId[] = [];
    await opened.add(id(1));
    const started = opened.driver.start({ concurrency: 1, handle: async (issueId) => void handled.push(issueId) });
    await opened.driver.stop();
    handled.length = 0; // it may have taken one before the stop
    await opened.add(id(2));
    await started;
    await opened.driver.close();
    expect(handled).toEqual([]);
    expect(await opened.waiting()).toContain(id(2));
  });

  it('closes once when it is asked twice', async () => {
    await using opened = await open();
    await opened.driver.start({ concurrency: 1, handle: async () => undefined });
    await opened.driver.stop();
    await Promise.all([opened.driver.close(), opened.driver.close()]);
  });

  it('counts a delay from its request, however long its transaction waited', async () => {
    await using opened = await open();
    const client = new Client(opened.url);
    await client.connect();
    await client.query('begin');
    await client.query('select pg_sleep(0.3)');
    const { rows } = await client.query('select clock_timestamp() as said');
    await client.query(opened.driver.queue.addJob, [id(1), 1_000]);
    await client.query('commit');
    await client.end();
    expect(
      await opened.sql(`select run_at >= $1::timestamptz + interval '1 s' as waits from graphile_worker.jobs`, [
        rows[0].said,
      ]),
    ).toEqual([{ waits: true }]);
  });

  it('brings issues again after handlers that ended at different moments of an outage of Postgres', async () => {
    await using own = await startPostgres();
    const issueIds = [1, 2, 3, 4, 5].map(id);
    const handled: IssueId[] = [];
    const outage = Promise.withResolvers<void>();
    let ended = 0;
    await using opened = await open(own);
    const { driver } = opened;
    await driver.start({
      concurrency: 10,
      handle: async (issueId) => {
        handled.push(issueId);
        if (handled.length > issueIds.length) return;
        await outage.promise;
        await systemTimers.sleep(issueIds.indexOf(issueId) * 100);
        ended += 1;
      },
    });
    for (const issueId of issueIds) await opened.add(issueId);
    await eventually(() => expect(handled).toHaveLength(5));
    await own.kill();
    outage.resolve();
    await eventually(() => expect(ended).toBe(5));
    await own.start();
    for (const issueId of issueIds) await opened.add(issueId);
    await eventually(() => expect(handled.slice(5).toSorted()).toEqual(issueIds));
    // Nothing that could be taken is left. One that was being completed as Postgres went is locked, and is deleted later.
    await eventually(async () =>
      expect(await opened.sql('select from graphile_worker.jobs where locked_at is null')).toEqual([]),
    );
    expect(handled).toHaveLength(10);
  });

  it('deletes the jobs that a dead pool holds while it runs, and none that waits or that was just taken', async () => {
    await using opened = await open();
    const minutes: (() => void)[] = [];
    const timers: Timers = {
      ...systemTimers,
      every: (ms, act) => {
        if (ms === 60_000) minutes.push(act);
        return () => undefined;
      },
    };
    const driver = opened.openDriver({ timers });
    await driver.start({ concurrency: 1, handle: async () => undefined });
    await opened.add(id(1));
    await opened.add(id(2));
    await opened.add(id(3), 3_600_000);
    await eventually(async () => expect(await opened.waiting()).toEqual([id(3)]));
    await opened.sql('delete from graphile_worker._private_jobs');
    // Rows as graphile-worker leaves them: one of a pool that died, one that is just being taken, one that waits.
    for (const number of [4, 5, 6]) await opened.add(id(number), 3_600_000);
    const lock = `update graphile_worker._private_jobs set attempts = 1, locked_by = $2, locked_at = now() - $3::interval
      where payload ->> 'issue_id' = $1`;
    await opened.sql(lock, [id(4), 'a dead pool', '61 seconds']);
    await opened.sql(lock, [id(5), 'a pool', '30 seconds']);
    for (const pass of minutes) pass();
    await eventually(async () => expect((await opened.waiting()).toSorted()).toEqual([id(5), id(6)]));
  });

  it('replaces a queue whose polls stop, and says so when that does not help', async () => {
    await using opened = await open();
    const { driver, seen, passFiveSeconds } = await openWatched(opened);
    // Every poll waits for this lock, and the database answers all others.
    const holder = new Client(opened.url);
    await holder.connect();
    await holder.query('begin; lock table graphile_worker._private_jobs in access exclusive mode');
    await eventually(() => {
      passFiveSeconds();
      expect(seen.said).toContain(SILENT);
    }, 100);
    expect(driver.silentMs()).toBeGreaterThan(QUEUE_SILENT_MS);
    expect(seen.dead).toBe(0);
    await eventually(() => {
      passFiveSeconds();
      expect(seen.dead).toBe(1);
    }, 100);
    expect(seen.said.filter((message) => message === SILENT)).toHaveLength(1);
    await holder.query('rollback');
    await holder.end();
    await opened.add(id(1));
    await eventually(() => expect(seen.handled).toEqual([id(1)]));
    expect(driver.silentMs()).toBeLessThan(QUEUE_SILENT_MS);
  });

  it('keeps its queue while the database takes no changes, and takes jobs when it does again', async () => {
    await using opened = await open();
    const name = new URL(opened.url).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await opened.sql(
        `set transaction_read_only = off; alter database "${name}" set default_transaction_read_only = ${value}`,
      );
      await opened.sql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };
    const { driver, seen, passFiveSeconds } = await openWatched(opened);
    await setReadOnly('on');
    for (let check = 0; check < 40; check += 1) {
      passFiveSeconds();
      // The wait covers the question of a check, and more.
      for (let round = 0; round < 3; round += 1) await opened.sql('select 1');
    }
    expect(driver.silentMs()).toBeGreaterThan(2 * QUEUE_SILENT_MS);
    expect(seen).toEqual({ said: seen.said.filter((message) => message !== SILENT), handled: [], dead: 0 });
    await setReadOnly('off');
    await opened.add(id(1));
    // On a slow machine the connections end while the queue asks. It is then opened again, which takes a few seconds.
    await eventually(() => {
      passFiveSeconds();
      expect(seen.handled).toEqual([id(1)]);
    });
  });

  it('counts jobs that have been due for more than half a minute, and neither later nor taken ones', async () => {
    await using opened = await open();
    const untaken = () => countUntakenJobs({ url: opened.url, applicationName: 'test' });
    await opened.add(id(1), -31_000);
    await opened.add(id(2), -20_000);
    await opened.add(id(3), 60_000);
    await opened.add(id(4), -31_000);
    await opened.sql(
      `update graphile_worker._private_jobs set attempts = 1, locked_by = 'a pool', locked_at = now()
      where payload ->> 'issue_id' = $1`,
      [id(4)],
    );
    expect(await untaken()).toBe(1);
    const handled: IssueId[] = [];
    await opened.driver.start({ concurrency: 1, handle: async (issueId) => void handled.push(issueId) });
    await eventually(async () => expect(await untaken()).toBe(0));
  });

  it('keeps the time at which a job became due, however often the lease sweep finds its issue', async () => {
    await using opened = await open();
    const held = Promise.withResolvers<void>();
    await opened.driver.start({ concurrency: 1, handle: () => held.promise });
    await opened.add(id(1));
    await eventually(async () => expect(await opened.waiting()).toEqual([]));
    const due = () => opened.sql('select run_at from graphile_worker.jobs');
    opened.driver.runnable([id(2)]);
    await eventually(async () => expect(await due()).toHaveLength(1));
    const before = await due();
    opened.driver.runnable([id(2), id(3)]);
    await eventually(async () => expect(await due()).toHaveLength(2));
    expect(await due()).toEqual(expect.arrayContaining(before));
    held.resolve();
  });
});

async function waitsForLock(sql: (text: string) => Promise<unknown[]>): Promise<boolean> {
  const waiting = await sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}
