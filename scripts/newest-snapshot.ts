import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printJson } from './print-json.ts';

/** The snapshot itself, its tables, a table, and the columns and indexes of one: these have a line each. */
const LEVELS = 4;

interface Journal {
  readonly entries: readonly { readonly idx: number }[];
}

/** The file that drizzle-kit compares the tables with, and the others that it left. All are file names in `meta`. */
export function snapshotsIn(migrations: string): { readonly newest: string; readonly older: readonly string[] } {
  const meta = join(migrations, 'meta');
  const { entries } = JSON.parse(readFileSync(join(meta, '_journal.json'), 'utf8')) as Journal;
  const newest = `${String(entries.at(-1)?.idx).padStart(4, '0')}_snapshot.json`;
  const all = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'));
  if (!all.includes(newest)) throw new Error(`${meta} lacks ${newest}, the snapshot of the last migration.`);
  return { newest, older: all.filter((name) => name !== newest).toSorted() };
}

/** Keeps only the newest snapshot, with a line for each column: drizzle-kit compares the tables with no other. */
export function keepNewestSnapshot(migrations: string): void {
  const { newest, older } = snapshotsIn(migrations);
  for (const name of older) rmSync(join(migrations, 'meta', name));
  const path = join(migrations, 'meta', newest);
  writeFileSync(path, printSnapshot(readFileSync(path, 'utf8')));
}

/** Prints what drizzle-kit wrote with a line for each column. */
export function printSnapshot(text: string): string {
  return printJson(JSON.parse(text), LEVELS);
}
