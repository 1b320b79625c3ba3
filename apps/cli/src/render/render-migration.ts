import type { MigrationReport } from '@sluice/server';

/** Renders one applied or pending migration a line. */
export function renderMigration({ database, dry_run, changes }: MigrationReport): string {
  const where = database === 'sqlite' ? 'The SQLite database' : 'The Postgres database';
  if (changes.length === 0) return `${where} is up to date.`;
  const count = `${changes.length} migration${changes.length === 1 ? '' : 's'}`;
  const what = dry_run ? `${where} has ${count} pending:` : `${where} is up to date after ${count}:`;
  return [what, ...changes.map((name) => `  ${name}`)].join('\n');
}
