import type { ClientConfig } from 'pg';

/** Which database, and who asks. */
export interface PgTarget {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEPALIVE_MS = 10_000; // the system's own first look at a silent connection comes after two hours
const STATEMENT_TIMEOUT_MS = 30_000; // all queries are short; one that is not holds others up
const LOCK_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 60_000; // a process that was stopped in its tracks must not hold its locks for ever

/** Connection options with their limits, for every connection. */
export function connectionOf({ url, applicationName }: PgTarget): ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
  };
}
