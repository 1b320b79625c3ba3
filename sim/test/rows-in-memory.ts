import type { PostgresDatabases } from '@sluice/testing';
import Sqlite from 'better-sqlite3';

/** What the oracle reads. */
const COLUMNS = {
  issues:
    'ordinal id user_id repo_id title status last_seq slot active_remote queued_at queue_ordinal waiting_ordinal lease_epoch input_tokens output_tokens codehost_number change_request_number',
  repos: 'id canonical_remote removed_at',
  events: 'issue_id seq type data',
  journal_entries: 'issue_id ordinal stage entry',
  slots: 'retired',
  steps: 'issue_id input_tokens',
} as const;

/** Copies the rows of a Postgres database that the oracle reads, so that the same checks hold for both engines. */
export async function rowsInMemory(server: PostgresDatabases, database: string): Promise<Sqlite.Database> {
  const copy = new Sqlite(':memory:');
  for (const [table, listed] of Object.entries(COLUMNS)) {
    const columns = listed.split(' ');
    copy.exec(`create table ${table} (${columns.join(', ')})`);
    const insert = copy.prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`);
    // Rows in JSON form: big integers are numbers in it, and booleans and documents keep their form.
    const rows = await server.query(`select to_jsonb(t) as row from ${table} t`, database);
    for (const { row } of rows) insert.run(columns.map((column) => asSqlite((row as Record<string, unknown>)[column])));
  }
  return copy;
}

function asSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
