import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connectionOf, type PgTarget } from '../pg/pg-connection.ts';
import { openReader } from '../sqlite/sqlite-connections.ts';

const COUNT = 'select count(*) as accounts from users';

/**
 * How many accounts an installation has. Only looks, so it may be called while servers run.
 *
 * @returns null where that cannot be found out: there is no database yet, it is empty, or it cannot be reached
 */
export async function countAccounts(target: { readonly dataDir: string } | PgTarget): Promise<number | null> {
  try {
    return 'dataDir' in target ? countOnSqlite(target.dataDir) : await countOnPg(target);
  } catch {
    return null;
  }
}

function countOnSqlite(dataDir: string): number | null {
  const file = join(dataDir, 'sluice.db');
  if (!existsSync(file)) return null;
  const reader = openReader(file);
  try {
    return reader.prepare<[], number>(COUNT).pluck().get() ?? null;
  } finally {
    reader.close();
  }
}

async function countOnPg(target: PgTarget): Promise<number | null> {
  const client = new pg.Client(connectionOf(target));
  client.on('error', () => undefined); // a connection that is lost ends the query as well
  try {
    await client.connect();
    const { rows } = await client.query<{ accounts: string }>(COUNT);
    return Number(rows[0]?.accounts);
  } finally {
    await client.end();
  }
}
