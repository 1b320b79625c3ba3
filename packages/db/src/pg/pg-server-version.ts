import pg from 'pg';
import { connectionOf, type PgTarget } from './pg-connection.ts';
import { pgRefusal } from './pg-refusal.ts';

/** Connects to a Postgres server and returns its version, e.g. `17.6`. @throws DatabaseRefusal when it cannot be reached */
export async function pgServerVersion(target: PgTarget): Promise<string> {
  const client = new pg.Client(connectionOf(target));
  client.on('error', () => undefined); // a connection that is lost ends the query as well
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } catch (error) {
    throw pgRefusal(error);
  } finally {
    await client.end();
  }
}
