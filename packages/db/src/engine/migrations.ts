import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DatabaseRefusal } from './database-refusal.ts';

export interface Migration {
  /** The name of the file, without its ending: `0000_first_schema`. */
  readonly name: string;
  readonly sql: string;
}

/** Separates the statements of a file. */
export const STATEMENT_BREAK = '--> statement-breakpoint';

interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

/** The migrations of a dialect in the order in which they apply, as drizzle-kit wrote them. */
export function readMigrations(dialect: 'sqlite' | 'pg'): readonly Migration[] {
  const folder = fileURLToPath(new URL(`../../migrations/${dialect}/`, import.meta.url));
  const journal: Journal = JSON.parse(readFileSync(`${folder}meta/_journal.json`, 'utf8'));
  return journal.entries.map(({ tag }) => ({ name: tag, sql: readFileSync(`${folder}${tag}.sql`, 'utf8') }));
}

/**
 * The migrations in `known` that are not applied yet. They are compared by name, not by drizzle's time stamps: those
 * silently skip a migration that was merged later than it was made.
 *
 * @throws DatabaseRefusal `newer` when the database holds a migration that this program does not know
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly string[]): readonly Migration[] {
  const names = new Set(known.map(({ name }) => name));
  const unknown = applied.find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw new DatabaseRefusal(
      'newer',
      `The database was written by a newer version of Sluice (it holds the change "${unknown}", which this version does not know): start that version again, or restore the copy that it made before.`,
    );
  }
  return known.filter(({ name }) => !applied.includes(name));
}
