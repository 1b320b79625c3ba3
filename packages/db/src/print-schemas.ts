import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { readMigrations, STATEMENT_BREAK } from './engine/migrations.ts';
import { migrateSqlite } from './sqlite/migrate-sqlite.ts';

const TIMEOUT_MS = 110_000;

type SchemaFile = 'packages/db/test/schema/sqlite.sql' | 'packages/db/test/schema/pg.sql';

/**
 * Both schemas as SQL, by file: SQLite's as its migrations leave it, Postgres's as the tables are declared.
 *
 * @throws Error when a migration is missing, as the schema would then be one that no database gets to
 */
export async function printSchemas(): Promise<Record<SchemaFile, string>> {
  for (const dialect of ['sqlite', 'pg'] as const) {
    if ((await missingMigrations(dialect)).length === 0) continue;
    throw new Error(
      `The tables have changed and the ${dialect} migrations do not say so: run "npm run migration -- NAME" in packages/db, with a name that tells what changes.`,
    );
  }
  const { stdout } = await runDrizzleKit(['export', ...tablesOf('pg')]);
  return {
    'packages/db/test/schema/sqlite.sql': printSqlite(),
    'packages/db/test/schema/pg.sql': `${[stdout.trim(), ...triggersOfPg()].join('\n')}\n`,
  };
}

/** The files that drizzle-kit would add to the migrations: none as long as they say what the tables say. */
export async function missingMigrations(dialect: Dialect): Promise<readonly string[]> {
  const committed = join(drizzleHome, 'migrations', dialect);
  const copy = await mkdtemp(join(tmpdir(), 'sluice-migrations-'));
  try {
    await cp(committed, copy, { recursive: true });
    await runDrizzleKit(['generate', ...tablesOf(dialect), `--out=${relative(drizzleHome, copy)}`, '--name=missing']);
    const before = new Set(await readdir(committed, { recursive: true }));
    return (await readdir(copy, { recursive: true })).filter((file) => !before.has(file));
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** drizzle-kit knows no triggers: they are as the migrations make them. */
function triggersOfPg(): string[] {
  return readMigrations('pg')
    .flatMap(({ sql }) => sql.split(STATEMENT_BREAK))
    .map((statement) => statement.trim())
    .filter((statement) => /^create (or replace function|trigger)\b/i.test(statement));
}

function runDrizzleKit(args: readonly string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(process.execPath, [drizzleKit, ...args], { cwd: drizzleHome, timeout: TIMEOUT_MS });
}

function printSqlite(): string {
  const database = new Sqlite(':memory:');
  migrateSqlite(database, readMigrations('sqlite'));
  const statements = database
    .prepare<[], string>(
      "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by tbl_name, type desc, name",
    )
    .pluck()
    .all();
  database.close();
  return `${statements.join(';\n\n')};\n`;
}

type Dialect = 'sqlite' | 'pg';

/** The folder in which drizzle-kit runs. It takes paths from here, and an absolute one for a relative one. */
export const drizzleHome = fileURLToPath(new URL('..', import.meta.url));

/** The program, which stands beside the entry: the package exports no name for it. */
export const drizzleKit = fileURLToPath(new URL('bin.cjs', import.meta.resolve('drizzle-kit')));

/** The arguments that say which tables are meant. */
export function tablesOf(dialect: Dialect): string[] {
  const name = { sqlite: 'sqlite', pg: 'postgresql' }[dialect];
  return [`--dialect=${name}`, `--schema=src/schema/schema-${dialect}.ts`];
}
