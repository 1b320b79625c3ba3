import type { IndexConnection } from './index-connection.ts';
import { isOutdated, SCHEMA, TABLES } from './index-schema.ts';

/** Held while the tables are created: "slixmake" in ASCII, as a number. */
const MAKING_LOCK = '8317138577798556517';

/** Makes the tables where they are not there, in one transaction: of several processes that start at once one makes them. */
export async function makeTables(db: IndexConnection): Promise<void> {
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
