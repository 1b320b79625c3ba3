import Database from 'better-sqlite3';
import { Client } from 'pg';

/** Runs SQL that fills tables, without checking references: their rows are there, and the check takes most of the time. */
export async function fillPostgres(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(
      `set session_replication_role = replica; ${sql}; set session_replication_role = default; analyze`,
    );
  } finally {
    await client.end();
  }
}

/** Beside the stores that have the file open: SQLite's own lock keeps the two apart. */
export function fillSqlite(file: string, sql: string): void {
  const raw = new Database(file);
  raw.pragma('foreign_keys = off');
  raw.exec(`${sql}; analyze`);
  raw.close();
}
