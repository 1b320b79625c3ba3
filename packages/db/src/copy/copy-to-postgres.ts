import type { Client } from 'pg';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { readMigrations } from '../engine/migrations.ts';
import { migrateUnderLock } from '../pg/migrate-pg.ts';
import { withMigrationLock } from '../pg/migration-lock.ts';
import type { PgOptions } from '../pg/open-pg-database.ts';
import { connectionOf } from '../pg/pg-connection.ts';
import { pgRefusal } from '../pg/pg-refusal.ts';
import { markMoved } from '../sqlite/moved-mark.ts';
import { type EmbeddedSource, openEmbeddedSource } from './embedded-source.ts';
import {
  digestOf,
  goOnAfter,
  isEmpty,
  lockTables,
  OF_A_START,
  refuseForeignTables,
  writeRows,
} from './postgres-target.ts';
import { createDigest, type TableDigest } from './row-digest.ts';
import { type TableToCopy, tablesToCopy } from './table-to-copy.ts';

export interface CopyOptions extends Pick<PgOptions, 'url' | 'applicationName' | 'queue'> {
  readonly dataDir: string;
  /** Called for each table after its rows are written, and again after they are verified. */
  readonly onTable?: (table: CopiedTable, step: 'written' | 'verified') => void;
}

export interface CopiedTable extends TableDigest {
  readonly name: string;
}

export interface CopyReport {
  readonly tables: readonly CopiedTable[];
  /** An earlier run had copied everything; nothing was written. */
  readonly alreadyThere: boolean;
}

/**
 * Copies the embedded database of a data folder into a Postgres database. One transaction writes all rows, reads them
 * back, and commits only if they match, so a failed attempt leaves nothing and can be repeated. Processes that start on
 * the target wait for its end.
 *
 * Leases are dropped. Data that a host can rebuild (clones, working trees, code index) is not copied.
 *
 * @throws DatabaseRefusal when either database is in use, unreachable or of a newer version, or the target holds other
 * data
 */
export async function copyToPostgres(options: CopyOptions): Promise<CopyReport> {
  const source = openEmbeddedSource(options.dataDir);
  try {
    const report = await withMigrationLock({ connection: connectionOf(options) }, async (client) => {
      const known = readMigrations('pg');
      await refuseForeignTables(client, known[0]?.name ?? '');
      await migrateUnderLock(client, { known, alongside: options.queue?.migrate });
      return await inTransaction(client, () => copy({ client, source, options }));
    });
    markMoved(options.dataDir);
    return report;
  } catch (error) {
    throw pgRefusal(error);
  } finally {
    source.close();
  }
}

interface Copy {
  readonly client: Client;
  readonly source: EmbeddedSource;
  readonly options: CopyOptions;
}

async function copy({ client, source, options }: Copy): Promise<CopyReport> {
  const tables = tablesToCopy();
  await lockTables(client, tables);
  if (!(await isEmpty(client, tables))) return await findThere({ client, source, options }, tables);
  for (const name of OF_A_START) await client.query(`delete from "${name}"`);
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    const written = { name: table.name, ...(await writeRows(client, table, source.rows(table))) };
    await goOnAfter(client, table, source.lastIdentity(table));
    options.onTable?.(written, 'written');
    copied.push(written);
  }
  for (const [index, table] of tables.entries()) {
    const written = copied[index] as CopiedTable;
    if (!isSame(await digestOf(client, table), written)) throw differs(table);
    options.onTable?.(written, 'verified');
  }
  return { tables: copied, alreadyThere: false };
}

/** Accepts the rows of an earlier run that was committed but not reported. Any other data is refused. */
async function findThere({ client, source }: Copy, tables: readonly TableToCopy[]): Promise<CopyReport> {
  const found: CopiedTable[] = [];
  for (const table of tables) {
    const expected = createDigest();
    for (const row of source.rows(table)) expected.add(row);
    const there = await digestOf(client, table);
    // A server started on the target may have set another number of slots, or a code host where there was none.
    if (!OF_A_START.includes(table.name) && !isSame(there, expected.end())) {
      throw new DatabaseRefusal(
        'occupied',
        `The target database already holds other data (in table "${table.name}"). Use an empty database. Nothing was changed.`,
      );
    }
    found.push({ name: table.name, ...there });
  }
  return { tables: found, alreadyThere: true };
}

function isSame(a: TableDigest, b: TableDigest): boolean {
  return a.rows === b.rows && a.hash === b.hash;
}

function differs({ name }: TableToCopy): DatabaseRefusal {
  return new DatabaseRefusal(
    'damaged',
    `Table "${name}" reads back differently from what was written. The copy was rolled back. Please report this.`,
  );
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
