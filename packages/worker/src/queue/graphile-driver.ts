import { setTimeout as pause } from 'node:timers/promises';
import type { IssueId, JobDriver, JobSink } from '@sluice/core';
import { Logger, makeWorkerUtils, type Runner, run, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import type { Log } from '../execution/worker-deps.ts';

const TASK = 'drive_issue';
const POLL_MS = 2_000; // jobs come by NOTIFY; the poll finds those whose time has come, and those of a lost NOTIFY
const SPARE_CONNECTIONS = 2; // one is held by LISTEN for as long as it runs
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000; // a server that was stopped in its tracks is known by its silence alone, also to who stops
const KEEPALIVE_MS = 10_000; // the listening connection says nothing for hours: routers forget such ones without a word
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * No queue name: the name of a dead process's job would hold back every further job under it. Not `now()`: that is when
 * the transaction began, and a job that comes before its issue is due is gone without having done anything.
 */
const ADD_JOB = `select graphile_worker.add_job('${TASK}', json_build_object('issue_id', $1::text),
  run_at := clock_timestamp() + $2::double precision * interval '1 millisecond', max_attempts := 1, job_key := 'issue:' || $1::text)`;

export interface GraphileOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly log: Log;
}

/** The queue's half that the stores write to, in the transaction that made an issue runnable. */
interface StoreQueue {
  migrate(): Promise<void>;
  readonly addJob: string;
}

export interface GraphileDriver extends JobDriver, JobSink {
  readonly queue: StoreQueue;
  close(): Promise<void>;
}

/**
 * The driver of several processes: graphile-worker's queue in the same Postgres. A job is an issue's id and no more:
 * whoever gets it reads the row and claims it, so a job too many does nothing. One job an issue by its key; the job of
 * a process that died stays locked for hours, but the next one under the key does not wait for it. The queue's own
 * recovery is not relied on: the lease in the row and the sweep are.
 */
export function createGraphileDriver({ url, applicationName, log }: GraphileOptions): GraphileDriver {
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
    // The message alone: the error carries the whole connection.
    const onError = ({ message }: Error) => log.warn({ reason: message }, 'a connection of the queue was lost');
    opened.on('error', onError);
    opened.on('connect', (client) => client.on('error', onError));
    return opened;
  };

  async function startRunner(work: Parameters<JobDriver['start']>[0], pgPool: Pool): Promise<Runner> {
    return await run({
      pgPool,
      logger,
      noHandleSignals: true, // the server ends in its own order
      concurrency: work.concurrency,
      pollInterval: POLL_MS,
      // With a delay an outage at the moment when a job completes ends the whole process (graphile-worker 0.18.0).
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: {
        [TASK]: async (payload) => {
          const { issue_id } = payload as { issue_id: IssueId };
          // The worker has reported what it threw; the lease runs out and the sweep brings the issue again.
          await work.handle(issue_id).catch(() => undefined);
        },
      },
    });
  }

  /** When Postgres goes away the runner ends itself and says nothing more: it is started again until it may stop. */
  async function supervise(work: Parameters<JobDriver['start']>[0], pgPool: Pool): Promise<void> {
    for (let tried = 0; !stopping; tried += 1) {
      try {
        if (tried > 0) {
          await pause(Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), LONGEST_PAUSE_MS));
          if (stopping) return;
          runner = await startRunner(work, pgPool);
          if (stopping) return await runner.stop(); // told while it started: whoever told it had nothing to stop
          log.info({}, 'the queue is back');
        }
        tried = 0;
        await runner?.promise;
        if (!stopping) log.warn({}, 'the queue has ended by itself: it is started again');
      } catch (error) {
        if (!stopping) log.warn({ err: error }, 'the queue failed: it is started again');
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
    for (const id of issueIds) await pool.query(ADD_JOB, [id, 0]);
  }

  return {
    queue: {
      addJob: ADD_JOB,
      migrate: () => runMigrations({ connectionString: url, logger }),
    },
    // What a commit made runnable is in the queue already, by the same transaction; this is what the sweep found.
    runnable: (issueIds) => {
      addJobs(issueIds).catch((error: unknown) =>
        log.warn({ err: error }, 'jobs could not be added: the next sweep does'),
      );
    },
    start(work) {
      started = begin(work);
      return started;
    },
    async stop() {
      stopping = true;
      await started.catch(() => undefined); // said to who started it
      await runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'the queue did not stop in order'));
      await supervised;
    },
    async close() {
      stopping = true;
      await pool?.end();
      pool = null;
    },
  };

  /** Jobs that were given up, by a process that died with them: nobody runs them again, and they hold no issue. */
  async function forgetDeadJobs(pgPool: Pool): Promise<void> {
    const utils = await makeWorkerUtils({ pgPool, logger });
    try {
      await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
    } finally {
      await utils.release();
    }
  }
}

/** The queue's own words in our log; what it says of each job is no news to us. */
export function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.warn({ queue: true }, message);
  });
}
