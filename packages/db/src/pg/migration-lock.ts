import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { DatabaseRefusal } from '../engine/database-refusal.ts';

/** "migrate" in ASCII, as a number that JavaScript and Postgres both hold. */
const MIGRATION_LOCK = 0x6d696772617465n;

/** Longer than migrating a large table takes, and short enough for an operator watching the start. */
export const MIGRATION_WAIT_MS = 300_000;

/** Asked again and again: a statement that waits for the lock would hold up an index that is built concurrently. */
const ASK_AGAIN_MS = 50;

/** A host that vanished holds the lock until its connection is declared dead; the system default is two hours. */
const KEEPALIVE_SECONDS = { idle: 30, interval: 10, count: 3 };

interface Locked {
  readonly connection: ClientConfig;
  /** Timeout for the lock. */
  readonly waitMs?: number | undefined;
}

/**
 * Runs `work` on a connection that holds the migration lock. The lock ends with the connection, so a killed process
 * leaves none behind.
 *
 * @throws DatabaseRefusal `in_use` when another process held the lock until the timeout
 */
export async function withMigrationLock<T>(
  { connection, waitMs = MIGRATION_WAIT_MS }: Locked,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(connection);
  client.on('error', () => undefined); // the query that it breaks says it
  await client.connect();
  try {
    const { idle, interval, count } = KEEPALIVE_SECONDS;
    // A migration may rightly take longer than a query.
    await client.query(`set statement_timeout = 0; set lock_timeout = ${connection.lock_timeout ?? 0};
      set tcp_keepalives_idle = ${idle}; set tcp_keepalives_interval = ${interval}; set tcp_keepalives_count = ${count}`);
    const until = performance.now() + waitMs;
    while (!(await isTaken(client))) {
      if (performance.now() > until) throw await stillHeld(client, waitMs);
      await pause(ASK_AGAIN_MS);
    }
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function isTaken(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    String(MIGRATION_LOCK),
  ]);
  return rows[0]?.taken === true;
}

async function stillHeld(client: Client, waitMs: number): Promise<DatabaseRefusal> {
  const { rows } = await client.query<{ pid: number; application_name: string | null }>(
    `select pid, application_name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = $1 and objsubid = 1`,
    [String(MIGRATION_LOCK)],
  );
  const [holder] = rows;
  const who = holder ? ` (Postgres process ${holder.pid}, "${holder.application_name ?? ''}")` : '';
  return new DatabaseRefusal(
    'in_use',
    `Another process has been bringing the database up to date for more than ${Math.ceil(waitMs / 1_000)} s${who}: wait until it is done or end it, and start again.`,
  );
}
