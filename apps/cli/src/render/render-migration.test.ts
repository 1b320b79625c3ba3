import { expect, it } from 'vitest';
import { renderMigration } from './render-database.ts';

const report = { database: 'sqlite', dry_run: false, changes: ['0000_first_schema', '0001_notes_are_read'] } as const;

it.each([
  [report, 'The SQLite database is up to date after 2 migrations:\n  0000_first_schema\n  0001_notes_are_read'],
  [{ ...report, dry_run: true, changes: ['0001_x'] }, 'The SQLite database has 1 migration pending:\n  0001_x'],
  [{ ...report, database: 'postgres' as const, changes: [] }, 'The Postgres database is up to date.'],
])('lists the migrations', (given, text) => {
  expect(renderMigration(given)).toBe(text);
});
