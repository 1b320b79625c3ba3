import { createSemaphore, untilAborted } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { Client, type ClientConfig, Pool } from 'pg';
import type { IndexConnection } from './index-connection.ts';
import { indexFailure, wasAway, wasGone } from './index-failure.ts';
import { isOutdated, SCHEMA, TABLES } from './index-schema.ts';

export interface IndexConnections {
  /** Reads what stood there at one moment; once more on another connection as long as the last one was lost. */
  read<T>(work: (db: IndexConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Writes on a dedicated connection, which closes with the end of the work or the signal. */
  write<T>(work: (db: IndexConnection) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Lets what was begun reading end; what is being written ends at its next step. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections for searches at most. */
  readonly poolSize?: number | undefined;
  /** How long one statement may take or wait for a lock, in milliseconds, where it is not our own measure. */
  readonly timeoutMs?: number | undefined;
}

interface Reading<T> {
  work(db: IndexConnection): Promise<T>;
  readonly signal: AbortSignal | undefined;
  /** Called when there is a connection for it. */
  connected(): void;
}

const POOL_SIZE = 4;
const UPDATES = 3; // at once in this process: all their files go through one parsing thread
const READ_TIMEOUT_MS = 15_000; // a search takes milliseconds, and people and agents wait for it
const WRITE_TIMEOUT_MS = 120_000; // the longest: to drop a very large repository
const SILENT_MS = 5_000; // Postgres says itself that a statement took too long, unless it is stopped or cut off
const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 60_000; // a process that was stopped in its tracks must not hold its locks for ever
const MAX_WAITING = 256; // callers await each answer, so more than this is a flood of searches

/** Opens nothing yet: the first call makes the tables where they are not there. */
export function createIndexConnections(options: ConnectionOptions): IndexConnections {
  const config = configOf(options, WRITE_TIMEOUT_MS);
  const poolSize = options.poolSize ?? POOL_SIZE;
  const pool = new Pool({ ...configOf(options, READ_TIMEOUT_MS), max: poolSize });
  // One that was given up is no longer the pool's, and can still say why it is lost: without a listener that ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined); // an idle connection was lost: the pool opens another one
  const updates = createSemaphore(UPDATES);
  const reading = new Set<Promise<unknown>>();
  const writing = new Set<Promise<unknown>>();
  let tables: Promise<void> | null = null;
  const closing = new AbortController();
  let closed: Promise<void> | null = null;

  const ready = (): Promise<void> => {
    tables ??= onOwnConnection(config, makeTables).catch((error: unknown) => {
      tables = null;
      throw error;
    });
    return tables;
  };
  const noted = <T>(going: Set<Promise<unknown>>, work: Promise<T>): Promise<T> => {
    const ended = work.then(
      () => undefined,
      (error: unknown) => {
        if (wasGone(error)) tables = null;
      },
    );
    going.add(ended);
    void ended.then(() => going.delete(ended));
    return work;
  };

  const readOnce = async <T>({ work, signal, connected }: Reading<T>): Promise<T> => {
    await ready();
    signal?.throwIfAborted();
    const client = await pool.connect().catch((error: unknown) => {
      throw indexFailure(error);
    });
    connected();
    let isFine = false;
    const onError = () => undefined; // the query that it breaks says it
    client.on('error', onError);
    try {
      const db = connectionOn(client);
      // JIT pays for queries that run for seconds.
      await db.query('begin isolation level repeatable read, read only; set local jit = off');
      const result = await untilAborted(work(db), signal);
      await db.query('commit');
      isFine = true;
      return result;
    } finally {
      client.off('error', onError);
      client.release(!isFine); // closed, because it may still be running an abandoned query
    }
  };

  const readUntilAnswered = async <T>(work: Reading<T>['work'], signal?: AbortSignal): Promise<T> => {
    // All that are idle may be lost without a word of it yet, as after a restart of the server: then a new one is opened.
    for (let left = poolSize; ; left -= 1) {
      let isConnected = false;
      const connected = () => {
        isConnected = true;
      };
      try {
        return await readOnce({ work, signal, connected });
      } catch (error) {
        signal?.throwIfAborted();
        if (wasGone(error)) tables = null;
        else if (!wasAway(error)) throw error;
        if (!isConnected) left = Math.min(left, 1); // the server itself is away: it is asked once more
        if (left === 0) throw error;
      }
    }
  };

  return {
    async read(work, signal) {
      closing.signal.throwIfAborted();
      if (reading.size >= MAX_WAITING) {
        throw new AppError('not_ready', { detail: 'The code index has too much to do: try again in a moment.' });
      }
      return untilAborted(noted(reading, readUntilAnswered(work, signal)), signal);
    },
    async write(work, cancelled) {
      closing.signal.throwIfAborted();
      const signal = AbortSignal.any([closing.signal, cancelled]);
      // Reported before the connection is closed, because closing waits for the current write.
      const failed = Promise.withResolvers<never>();
      const written = noted(
        writing,
        updates.run(async () => {
          await untilAborted(ready(), signal);
          return onOwnConnection(config, async (db) => {
            let last: Promise<unknown> = Promise.resolve();
            const stepwise: IndexConnection = {
              async query<R extends object>(sql: string, values?: readonly unknown[]) {
                signal.throwIfAborted();
                const answer = db.query<R>(sql, values);
                last = answer.catch(() => undefined);
                return untilAborted(answer, signal);
              },
            };
            try {
              return await work(stepwise);
            } catch (error) {
              failed.reject(error);
              throw error;
            } finally {
              await last; // what is just being written is not lost: it is work done ahead
            }
          });
        }, signal),
      );
      return Promise.race([written, failed.promise]);
    },
    close() {
      closing.abort(new AppError('shutting_down'));
      closed ??= Promise.allSettled([...reading, ...writing]).then(() => pool.end());
      return closed;
    },
  };
}

async function onOwnConnection<T>(config: ClientConfig, work: (db: IndexConnection) => Promise<T>): Promise<T> {
  const client = new Client(config);
  client.on('error', () => undefined); // the query that it breaks says it
  try {
    await client.connect().catch((error: unknown) => {
      throw indexFailure(error);
    });
    return await work(connectionOn(client));
  } finally {
    // Closed also in the middle of a query, whose transaction and locks end with it.
    await client.end().catch(() => undefined);
  }
}

function connectionOn(client: Pick<Client, 'query'>): IndexConnection {
  return {
    async query<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]> {
      try {
        const { rows } = await client.query<R>(sql, values === undefined ? undefined : [...values]);
        return rows;
      } catch (error) {
        throw indexFailure(error);
      }
    },
  };
}

function configOf({ url, applicationName, timeoutMs }: ConnectionOptions, ownTimeoutMs: number): ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: timeoutMs ?? ownTimeoutMs,
    lock_timeout: Math.min(LOCK_TIMEOUT_MS, timeoutMs ?? LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    query_timeout: (timeoutMs ?? ownTimeoutMs) + SILENT_MS,
  };
}

/** Held while the tables are created: "slixmake" in ASCII, as a number. */
const MAKING_LOCK = '8317138577798556517';

/** Makes the tables where they are not there, in one transaction: of several processes that start at once one makes them. */
async function makeTables(db: IndexConnection): Promise<void> {
  if (await exists(db)) return;
  await db.query('begin');
  await db.query(`select pg_advisory_xact_lock(${MAKING_LOCK})`);
  if (!(await exists(db))) {
    const schemas = await db.query<{ name: string }>('select nspname as name from pg_namespace');
    for (const { name } of schemas) if (isOutdated(name)) await db.query(`drop schema ${name} cascade`);
    await db.query(`create schema if not exists ${SCHEMA}`);
    await db.query(TABLES);
  }
  await db.query('commit');
}

// Read as rows: what `to_regclass` says after the wait for the lock is what the connection remembers from before it.
async function exists(db: IndexConnection): Promise<boolean> {
  const found = await db.query(`select from pg_tables where schemaname = '${SCHEMA}' and tablename = 'paths'`);
  return found.length > 0;
}
