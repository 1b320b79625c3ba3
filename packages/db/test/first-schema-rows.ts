import { readFileSync } from 'node:fs';

/** `first-schema-rows.sql`, which is written for SQLite, in the words of Postgres. */
export function firstSchemaRowsForPg(): string {
  return forPg(rowsOf('first-schema-rows.sql'));
}

/** The rows of a file beside this one, written for SQLite. */
export function rowsOf(file: 'first-schema-rows.sql' | 'issues-in-every-status.sql'): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

/** The rows in Postgres' syntax: instants and truth values have types there. */
export function forPg(rows: string): string {
  return rows
    .replaceAll(/\b(\d{13})\b/g, "timestamptz '1970-01-01 00:00:00Z' + $1 * interval '1 millisecond'")
    .replace('values (1, 0), (2, 0)', 'values (1, false), (2, false)');
}
