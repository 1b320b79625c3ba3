import type { MigrationReport } from '@sluice/server';

/** What was changed, or would be, a line for each. */
export function renderMigration({ database, dry_run, changes }: MigrationReport): string {
  const where = database === 'sqlite' ? 'The SQLite database' : 'The Postgres database';
  if (changes.length === 0) return `${where} is up to date.`;
  const count = `${changes.length} change${changes.length === 1 ? '' : 's'}`;
  const what = dry_run ? `${where} lacks ${count}:` : `${where} is up to date now, by ${count}:`;
  return [what, ...changes.map((name) => `  ${name}`)].join('\n');
}
