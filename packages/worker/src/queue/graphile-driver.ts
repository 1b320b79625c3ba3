import { backoffMs, type Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { JobDriver, JobSink } from '@sluice/core/issue';
import { Logger, runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { Log } from '../execution/worker-deps.ts';
import { openQueueRunner, type QueueRunner, TASK } from './queue-runner.ts';
import { type QueueWatch, watchQueue } from './queue-watch.ts';

const PROBE_TIMEOUT_MS = 5_000;
const BACKOFF = { firstMs: 100, longestMs: 5_000 };
const FORGET_MS = 60_000;

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

/**
 * For the lease sweep: it finds an issue again as long as it waits, and then repeats what the job key may have lost. A job that
 * waits keeps its time, which tells since when no worker takes it.
 */
const ADD_JOB_ONCE = `select graphile_worker.add_job(${ARGUMENTS}, job_key := 'issue:' || $1::text,
  job_key_mode := 'preserve_run_at')`;

/**
 * A pool locks a job for the milliseconds in which it takes its issue, so one that is locked for a minute is of a pool that
 * died, or that could not say that the job was done. No job can be taken a second time by this: it has had its only attempt.
 */
const UNLOCK_JOBS = `select graphile_worker.force_unlock_workers(array(
  select distinct locked_by from graphile_worker.jobs where locked_at < clock_timestamp() - interval '1 minute'))`;
const FORGET_JOBS = `select graphile_worker.complete_jobs(array(
  select id from graphile_worker.jobs where locked_at is null and attempts >= max_attempts))`;

/** A poll is a write, so a standby or a database that is set read-only gives the queue no answer. */
const TAKES_CHANGES = `select current_setting('transaction_read_only') = 'off' as takes_changes`;

export interface GraphileOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly timers: Timers;
  readonly log: Log;
  /** The queue brings no jobs although the database answers, and a new runner did not help: only a new process may. */
  readonly onDead?: (() => void) | undefined;
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

type Work = Parameters<JobDriver['start']>[0];

/**
 * The driver of several processes: graphile-worker's queue in the same Postgres. A job is only an issue's id: the worker reads
 * the row and claims it, so a duplicate job has no effect, and a lost one is found by the lease sweep. An issue has a job for
 * each commit that made it runnable, and at most one of the sweep's. Recovery relies on the lease in the row and on the lease
 * sweep, not on the queue.
 *
 * The runner is replaced whenever it ends, and when its polls stop; the issues that run are not touched by that.
 */
export function createGraphileDriver(options: GraphileOptions): GraphileDriver {
  const { url, timers, log } = options;
  const logger = graphileLogger(log);
  const stopped = new AbortController();
  const isStopping = () => stopped.signal.aborted;
  const running = new Set<Promise<void>>();
  let slotFreed = Promise.withResolvers<void>();
  let runner: QueueRunner | null = null;
  let watch: QueueWatch | null = null;
  let started: Promise<void> = Promise.resolve();
  let supervised: Promise<void> = Promise.resolve();
  /** The runners that were replaced, as long as they end. */
  const leaving = new Set<Promise<void>>();
  let concurrency = 0;

  const isFull = () => running.size >= concurrency;

  async function untilFree(): Promise<void> {
    while (isFull()) await slotFreed.promise;
  }

  function take(issueId: IssueId, { handle }: Work): void {
    // A runner that was replaced may still bring one. The lease sweep finds its issue again.
    if (isFull() || isStopping()) return;
    // The worker has reported the error. The lease expires, and the lease sweep finds the issue.
    const handled = handle(issueId).catch(() => undefined);
    running.add(handled);
    void handled.then(() => {
      if (isFull()) watch?.polled(); // no poll was due until now
      running.delete(handled);
      slotFreed.resolve();
      slotFreed = Promise.withResolvers();
    });
  }

  function openRunner(work: Work): Promise<QueueRunner> {
    const polled = () => watch?.polled();
    return openQueueRunner({ ...options, logger, untilFree, take: (issueId) => take(issueId, work), polled });
  }

  /** graphile-worker ends its runner when Postgres fails it, so it is replaced until the driver stops. */
  async function supervise(work: Work): Promise<void> {
    for (let failures = 0; !isStopping(); ) {
      const current = runner;
      try {
        if (current === null) {
          failures += 1;
          await timers.sleep(backoffMs(failures, BACKOFF), stopped.signal);
          runner = await openRunner(work);
          log.info({}, 'the queue is running again');
          continue;
        }
        failures = 0;
        await current.ended;
        if (runner === current && !isStopping()) log.warn({}, 'the queue ended unexpectedly and is restarted');
      } catch (error) {
        if (!isStopping()) log.warn({ err: error }, 'the queue failed and is restarted');
      }
      closeRunner();
    }
    closeRunner();
  }

  function closeRunner(): void {
    if (runner === null) return;
    const left = runner.close();
    leaving.add(left);
    void left.finally(() => leaving.delete(left));
    runner = null;
  }

  async function databaseAnswers(): Promise<boolean> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      application_name: `${options.applicationName}-probe`,
    });
    client.on('error', () => undefined); // the broken query reports it
    try {
      await client.connect();
      const { rows } = await client.query<{ takes_changes: boolean }>(TAKES_CHANGES);
      return rows[0]?.takes_changes === true;
    } catch {
      return false;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  async function begin(work: Work): Promise<void> {
    concurrency = work.concurrency;
    runner = await openRunner(work);
    await forgetDeadJobs(runner);
    if (isStopping()) return;
    const stopForgetting = timers.every(FORGET_MS, () => {
      if (runner !== null) void forgetDeadJobs(runner);
    });
    stopped.signal.addEventListener('abort', stopForgetting, { once: true });
    watch = watchQueue({ timers, isFull, databaseAnswers, replace, giveUp });
    supervised = supervise(work);
  }

  function replace(): void {
    log.warn({ silentMs: watch?.silentMs() }, 'the queue is silent although the database answers, and is replaced');
    closeRunner();
  }

  function giveUp(): void {
    log.error({ silentMs: watch?.silentMs() }, 'the queue stays silent although it was replaced');
    options.onDead?.();
  }

  /** A job that failed for the last time never runs again and holds no issue. */
  async function forgetDeadJobs({ query }: QueueRunner): Promise<void> {
    try {
      await query(UNLOCK_JOBS);
      await query(FORGET_JOBS);
    } catch (error) {
      log.warn({ err: error }, 'could not delete the jobs of dead processes; the next attempt is in a minute');
    }
  }

  async function addJobs(issueIds: readonly IssueId[]): Promise<void> {
    for (const id of issueIds) await runner?.query(ADD_JOB_ONCE, [id, 0]);
  }

  async function stop(): Promise<void> {
    stopped.abort();
    watch?.stop();
    await started.catch(() => undefined); // the caller of `start` got the error
    closeRunner();
    await supervised;
    await Promise.all([...leaving, ...running]);
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
    silentMs: () => watch?.silentMs() ?? 0,
    stop,
    close: stop,
  };
}

/** Forwards errors of the queue to our log; its messages about single jobs are noise. */
export function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.warn({ queue: true }, message);
  });
}
