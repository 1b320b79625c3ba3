import { backoffMs, type IssueId, type JobDriver, type JobSink, type Timers } from '@sluice/core';
import { Logger, makeWorkerUtils, type Runner, run, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import type { Log } from '../execution/worker-deps.ts';

const TASK = 'drive_issue';
const POLL_MS = 2_000; // jobs arrive by NOTIFY; the poll finds delayed jobs and those of a lost NOTIFY
const SPARE_CONNECTIONS = 2; // LISTEN holds one all the time
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000; // a frozen server is only noticed by its silence, during a stop too
const KEEPALIVE_MS = 10_000; // routers silently drop a connection that is idle for hours, as the listening one is
const BACKOFF = { firstMs: 100, longestMs: 5_000 };

/**
 * Not `now()`: that is the start of the transaction, and a job that runs before its issue is due is lost without effect.
 * Without a queue name: the locked job of a dead process would block every further job of its queue.
 */
const ARGUMENTS = `'${TASK}', json_build_object('issue_id', $1::text), max_attempts := 1,
  run_at := clock_timestamp() + $2::double precision * interval '1 millisecond'`;

/**
 * Without a job key. graphile-worker (0.18.0) adds nothing when a process takes the earlier job of the same key at that moment;
 * that process may still see the issue as it was before this transaction, and then nobody would take the issue.
 */
const ADD_JOB = `select graphile_worker.add_job(${ARGUMENTS})`;

/** For the lease sweep: it finds an issue again as long as it waits, and then repeats what the job key may have lost. */
const ADD_JOB_ONCE = `select graphile_worker.add_job(${ARGUMENTS}, job_key := 'issue:' || $1::text)`;

export interface GraphileOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly timers: Timers;
  readonly log: Log;
}

/** The part that the stores call, in the transaction that makes an issue runnable. */
interface StoreQueue {
  migrate(): Promise<void>;
  readonly addJob: string;
}

export interface GraphileDriver extends JobDriver, JobSink {
  readonly queue: StoreQueue;
  close(): Promise<void>;
}

/**
 * The driver of several processes: graphile-worker's queue in the same Postgres. A job is only an issue's id: the worker reads
 * the row and claims it, so a duplicate job has no effect. An issue has a job for each commit that made it runnable, and at
 * most one of the sweep's. The job of a dead process stays locked for hours; no other job waits for it. Recovery relies on
 * the lease in the row and on the lease sweep, not on the queue.
 */
export function createGraphileDriver({ url, applicationName, timers, log }: GraphileOptions): GraphileDriver {
  const logger = graphileLogger(log);
  let pool: Pool | null = null;
  let runner: Runner | null = null;
  let started: Promise<void> = Promise.resolve();
  let supervised: Promise<void> = Promise.resolve();
  let stopping = false;

  const openPool = (max: number) => {
    const opened = new Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: `${applicationName}-queue`,
      max,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    // Only the message: the error contains the whole connection.
    const onError = ({ message }: Error) => log.warn({ reason: message }, 'the queue lost a connection');
    opened.on('error', onError);
    opened.on('connect', (client) => client.on('error', onError));
    return opened;
  };

  async function startRunner(work: Parameters<JobDriver['start']>[0], pgPool: Pool): Promise<Runner> {
    return await run({
      pgPool,
      logger,
      noHandleSignals: true, // the server shuts down in its own order
      concurrency: work.concurrency,
      pollInterval: POLL_MS,
      // With a delay, an outage while a job completes ends the whole process (graphile-worker 0.18.0).
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: {
        [TASK]: async (payload) => {
          const { issue_id } = payload as { issue_id: IssueId };
          // The worker has reported the error. The lease expires, and the lease sweep finds the issue.
          await work.handle(issue_id).catch(() => undefined);
        },
      },
    });
  }

  /** The runner ends silently when Postgres becomes unavailable, so it is restarted until the driver stops. */
  async function supervise(work: Parameters<JobDriver['start']>[0], pgPool: Pool): Promise<void> {
    for (let tried = 0; !stopping; tried += 1) {
      try {
        if (tried > 0) {
          await timers.sleep(backoffMs(tried, BACKOFF));
          if (stopping) return;
          runner = await startRunner(work, pgPool);
          if (stopping) return await runner.stop(); // `stop` was called during the start and found no runner
          log.info({}, 'the queue is running again');
        }
        tried = 0;
        await runner?.promise;
        if (!stopping) log.warn({}, 'the queue ended unexpectedly and is restarted');
      } catch (error) {
        if (!stopping) log.warn({ err: error }, 'the queue failed and is restarted');
      }
    }
  }

  async function begin(work: Parameters<JobDriver['start']>[0]): Promise<void> {
    pool = openPool(work.concurrency + SPARE_CONNECTIONS);
    await forgetDeadJobs(pool);
    if (stopping) return;
    runner = await startRunner(work, pool);
    supervised = supervise(work, pool);
  }

  async function addJobs(issueIds: readonly IssueId[]): Promise<void> {
    if (pool === null || stopping) return;
    for (const id of issueIds) await pool.query(ADD_JOB_ONCE, [id, 0]);
  }

  return {
    queue: {
      addJob: ADD_JOB,
      migrate: () => runMigrations({ connectionString: url, logger }),
    },
    // A commit that makes an issue runnable adds its job itself. These are the finds of the lease sweep.
    runnable: (issueIds) => {
      addJobs(issueIds).catch((error: unknown) =>
        log.warn({ err: error }, 'could not add jobs; the next lease sweep retries'),
      );
    },
    start(work) {
      started = begin(work);
      return started;
    },
    async stop() {
      stopping = true;
      await started.catch(() => undefined); // the caller of `start` got the error
      await runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'the queue did not stop cleanly'));
      await supervised;
    },
    async close() {
      stopping = true;
      const open = pool;
      pool = null; // a pool refuses to end twice
      await open?.end();
    },
  };

  /** Deletes jobs that failed for the last time because their process died. They never run again and hold no issue. */
  async function forgetDeadJobs(pgPool: Pool): Promise<void> {
    const utils = await makeWorkerUtils({ pgPool, logger });
    try {
      await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
    } finally {
      await utils.release();
    }
  }
}

/** Forwards errors of the queue to our log; its messages about single jobs are noise. */
export function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.warn({ queue: true }, message);
  });
}
