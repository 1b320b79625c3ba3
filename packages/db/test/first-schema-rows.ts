import { readFileSync } from 'node:fs';

/** `first-schema-rows.sql`, which is written for SQLite, in the words of Postgres: instants and truth values have types there. */
export function firstSchemaRowsForPg(): string {
  return readFileSync(new URL('./first-schema-rows.sql', import.meta.url), 'utf8')
    .replaceAll(/\b(\d{13})\b/g, "timestamptz '1970-01-01 00:00:00Z' + $1 * interval '1 millisecond'")
    .replace('values (1, 0), (2, 0)', 'values (1, false), (2, false)');
}
