import { Client } from 'pg';

const TIMEOUT_MS = 5_000;

/** Jobs that a worker could take and that were due half a minute ago: fifteen polls of a worker. */
const COUNT = `select count(*)::int as untaken from graphile_worker.jobs
  where locked_at is null and attempts < max_attempts and run_at < clock_timestamp() - interval '30 seconds'`;

/**
 * How many jobs of the queue have been due for more than 30 s without a worker that takes them. Reads only.
 *
 * @throws when the database cannot be reached or has no queue yet
 */
export async function countUntakenJobs(target: {
  readonly url: string;
  readonly applicationName: string;
}): Promise<number> {
  const client = new Client({
    connectionString: target.url,
    application_name: target.applicationName,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the broken query reports it
  try {
    await client.connect();
    const { rows } = await client.query<{ untaken: number }>(COUNT);
    return rows[0]?.untaken ?? 0;
  } finally {
    await client.end();
  }
}
