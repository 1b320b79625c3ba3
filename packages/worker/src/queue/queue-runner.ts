import { EventEmitter } from 'node:events';
import { settleAfterAbort, type Timers, untilAborted } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import { type Logger, run, type WorkerEvents } from 'graphile-worker';
import { Pool } from 'pg';
import type { Log } from '../execution/worker-deps.ts';

export const TASK = 'drive_issue';
const POLL_MS = 2_000; // jobs arrive by NOTIFY; the poll finds delayed jobs and those of a lost NOTIFY
/** LISTEN holds one all the time; the others are of a poll, of a completion, and of what the lease sweep adds. */
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000; // a frozen server is only noticed by its silence, during a stop too
const KEEPALIVE_MS = 10_000; // routers silently drop a connection that is idle for hours, as the listening one is
const GRACE_MS = 5_000;

export interface QueueRunnerOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly timers: Timers;
  readonly log: Log;
  readonly logger: Logger;
  /** Resolves when another issue may be taken. */
  untilFree(): Promise<void>;
  /** Takes an issue without waiting for its end. */
  take(issueId: IssueId): void;
  /** A poll succeeded. */
  polled(): void;
}

/** A runner of graphile-worker with connections of its own, so that both can be replaced at any moment. */
export interface QueueRunner {
  /** Settles when it takes no more jobs, whatever the reason. */
  readonly ended: Promise<void>;
  /** Runs a statement on its connections. */
  query(text: string, values?: readonly unknown[]): Promise<void>;
  /** Takes no more jobs, and closes its connections. What hangs for longer than `GRACE_MS` is left behind. */
  close(): Promise<void>;
}

/**
 * Starts to take jobs, one at a time and only when another issue may run.
 *
 * A job ends as soon as its issue is taken, and not when the issue has been executed. So a job is locked for milliseconds, and
 * what ends during an outage of Postgres does not have to tell the queue.
 *
 * The end is known by an event. `runner.promise` may never settle (graphile-worker 0.18.0, docs/graphile-worker.md): after its
 * shutdown has begun it gets `GRACE_MS` only.
 */
export async function openQueueRunner(options: QueueRunnerOptions): Promise<QueueRunner> {
  const { timers, log, logger, untilFree, take, polled } = options;
  const pool = openPool(options);
  const shutdown = new AbortController();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:getJob:empty', () => {
    if (!shutdown.signal.aborted) polled(); // while it shuts down, this only says that it did not ask
  });
  events.on('job:start', polled);
  events.once('pool:gracefulShutdown', () => shutdown.abort(new Error('the runner of the queue did not end in time')));
  const runner = await run({
    pgPool: pool,
    logger,
    events,
    noHandleSignals: true, // the server shuts down in its own order
    concurrency: 1,
    pollInterval: POLL_MS,
    // Asked before each poll: the place at which a runner can be made to wait without a job in its hands.
    forbiddenFlags: async () => {
      await untilAborted(untilFree(), shutdown.signal).catch(() => undefined);
      return null;
    },
    // Without a batch a completion that fails is an unhandled rejection, which ends the process (graphile-worker 0.18.0).
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: {
      [TASK]: (payload) => {
        take((payload as { issue_id: IssueId }).issue_id);
      },
    },
  }).catch((error: unknown) => {
    void pool.end();
    throw error;
  });
  const ended = settleAfterAbort(runner.promise, shutdown.signal, { graceMs: GRACE_MS, timers });
  ended.catch(() => undefined); // the error is for those who wait for it
  return {
    ended,
    query: async (text, values = []) => void (await pool.query(text, [...values])),
    async close() {
      runner.stop().catch(() => undefined); // it may have stopped by itself
      shutdown.abort(new Error('the runner of the queue did not stop in time'));
      await ended.catch(() => undefined);
      const overdue = AbortSignal.abort(new Error('the connections of the queue did not close in time'));
      await settleAfterAbort(pool.end(), overdue, { graceMs: GRACE_MS, timers }).catch((error: unknown) =>
        log.warn({ err: error }, 'the connections of the queue were left behind'),
      );
    },
  };
}

function openPool({ url, applicationName, log }: QueueRunnerOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: `${applicationName}-queue`,
    max: CONNECTIONS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // Only the message: the error contains the whole connection.
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'the queue lost a connection');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
