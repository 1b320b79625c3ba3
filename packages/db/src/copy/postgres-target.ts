import { setImmediate } from 'node:timers/promises';
import { canonicalJson } from '@sluice/core/text';
import { drizzle } from 'drizzle-orm/node-postgres';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { isAway, isLockTimeout, pgFailure } from '../pg/pg-failure.ts';
import { createDigest, type TableDigest } from './row-digest.ts';
import { type Row, readRow, type TableToCopy } from './table-to-copy.ts';

const BATCH_ROWS = 500; // times 40 columns: well below the 65,535 values that one statement may have
const BATCH_CHARACTERS = 4_000_000; // checkpoints and patches are large
const FETCH_ROWS = 50; // so many of those are held at once
const FETCH_FILES = 1; // an attachment can have 10 MiB, and is read as twice that

/**
 * Refuses a database that holds tables of another application.
 *
 * @throws DatabaseRefusal `occupied`
 */
export async function refuseForeignTables(client: Client, firstMigration: string): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p') and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by 1`,
  );
  if (tables.length === 0) return;
  const { rows: columns } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('migrations') and attname = 'name'`,
  );
  if (columns.length > 0) {
    const ours = await client.query('select from migrations where name = $1', [firstMigration]);
    // Without a row it is the remains of an interrupted start, and then it is the only table.
    if (ours.rows.length > 0 || tables.length === 1) return;
  }
  throw new DatabaseRefusal(
    'occupied',
    `The target database holds tables of another application ("${tables[0]?.name}"). Use an empty database, for example one made with "createdb".`,
  );
}

/** Locks out other writers until the transaction ends. */
export async function lockTables(client: Client, tables: readonly TableToCopy[]): Promise<void> {
  try {
    await client.query(`lock table ${tables.map(({ name }) => `"${name}"`).join(', ')} in share row exclusive mode`);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new DatabaseRefusal(
      'in_use',
      'Another process is writing to that database. Stop the servers that use it and start again.',
      { cause: error },
    );
  }
}

/** Tables that a server's first start fills. The source's rows replace theirs. */
export const OF_A_START: readonly string[] = ['slots', 'codehost_sites', 'installation'];

/** Whether it has none of our rows, but for those of a start. */
export async function isEmpty(client: Client, tables: readonly TableToCopy[]): Promise<boolean> {
  for (const { name } of tables) {
    if (!OF_A_START.includes(name) && (await client.query(`select from "${name}" limit 1`)).rows.length > 0)
      return false;
  }
  return true;
}

/** Writes the rows of a table in batches. @returns what was written, by the rows that were read */
export async function writeRows(client: Client, table: TableToCopy, rows: Iterable<Row>): Promise<TableDigest> {
  const digest = createDigest();
  const db = drizzle({ client });
  const insert = async (batch: readonly Row[]) => {
    if (batch.length > 0)
      await db
        .insert(table.pg)
        .overridingSystemValue()
        .values([...batch]);
    await setImmediate(); // reading is synchronous: signals and the connection's own events get their turn
  };
  let batch: Row[] = [];
  let characters = 0;
  try {
    for (const row of rows) {
      digest.add(row);
      batch.push(row);
      characters += canonicalJson(row).length;
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      await insert(batch);
      batch = [];
      characters = 0;
    }
    await insert(batch);
  } catch (error) {
    throw isAway(error) ? error : notStorable(table, error);
  }
  return digest.end();
}

function notStorable({ name }: TableToCopy, error: unknown): DatabaseRefusal {
  const cause = pgFailure(error);
  const why = cause instanceof Error ? cause.message : 'unknown reason';
  return new DatabaseRefusal(
    'damaged',
    `Postgres does not take a row of "${name}" (${why}). Nothing was copied. Fix the row in sluice.db and start again.`,
    { cause },
  );
}

/** Reads all rows of a table on Postgres. @returns what the table holds, read back */
export async function digestOf(client: Client, table: TableToCopy): Promise<TableDigest> {
  const digest = createDigest();
  const hasBytes = getTableConfig(table.pg).columns.some((column) => column.getSQLType() === 'bytea');
  const limit = hasBytes ? FETCH_FILES : FETCH_ROWS;
  await client.query(`declare to_verify no scroll cursor for select * from "${table.name}"`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${limit} from to_verify`);
    for (const found of rows) digest.add(table.begin(readRow(table.pg, found)));
    if (rows.length < limit) break;
  }
  await client.query('close to_verify');
  return digest.end();
}

/** Continues the identity column after `last`, even if that row is gone. */
export async function goOnAfter(client: Client, { name, identity }: TableToCopy, last: number): Promise<void> {
  if (identity === null || last === 0) return;
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [`"${name}"`, identity, last]);
}
