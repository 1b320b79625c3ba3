import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostedNameAt } from '@sluice/core/code-host';
import type { RepoId } from '@sluice/core/id';
import { GATE_REMINDER_MS } from '@sluice/core/issue';
import { and, asc, count, eq, isNull } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onPg } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database } from './engine/database.ts';
import { openedBy, selectGates } from './issue/gates-holding-slots.ts';
import { connectionOf, type PgTarget } from './pg/pg-connection.ts';
import type { Db } from './schema/kit.ts';
import type { Tables } from './schema/schema.ts';
import * as pgTables from './schema/schema-pg.ts';
import * as sqliteTables from './schema/schema-sqlite.ts';
import { openReader } from './sqlite/sqlite-connections.ts';
import { type HistorySurvey, surveyHistory } from './survey-history.ts';

export interface MisplacedRepo {
  readonly id: RepoId;
  readonly name: string;
  readonly url: string;
}

/** What `doctor` asks about. */
export interface SurveyQuestion {
  readonly now: Date;
  /** The code host's own address; null where none is configured. */
  readonly codehost: string | null;
}

export interface InstallationSurvey {
  readonly accounts: number;
  /** Issues that have held a slot at a gate for more than a day. */
  readonly longAtGate: number;
  /** Repositories of the code host whose address is no owner and name there. Empty without a code host. */
  readonly misplaced: readonly MisplacedRepo[];
  /** Null if it could not be estimated. */
  readonly history: HistorySurvey | null;
}

/**
 * Facts about an installation for `doctor`. Reads only, so it may run beside servers.
 *
 * @returns null where there is no database yet, it is empty, or it cannot be reached
 */
export async function surveyInstallation(
  target: { readonly dataDir: string } | PgTarget,
  question: SurveyQuestion,
): Promise<InstallationSurvey | null> {
  try {
    return await ('dataDir' in target ? surveySqlite(target.dataDir, question) : surveyPg(target, question));
  } catch {
    return null;
  }
}

async function surveySqlite(dataDir: string, question: SurveyQuestion): Promise<InstallationSurvey | null> {
  const file = join(dataDir, 'sluice.db');
  if (!existsSync(file)) return null;
  const client = openReader(file);
  try {
    return await survey({ read: onSqlite({ client }) as unknown as Db, tables: sqliteTables as Tables }, question);
  } finally {
    client.close();
  }
}

async function surveyPg(target: PgTarget, question: SurveyQuestion): Promise<InstallationSurvey> {
  const client = new pg.Client(connectionOf(target));
  client.on('error', () => undefined); // a connection that is lost ends the query as well
  try {
    await client.connect();
    return await survey({ read: onPg({ client }) as unknown as Db, tables: pgTables as Tables }, question);
  } finally {
    await client.end();
  }
}

type Reading = Pick<Database, 'read' | 'tables'>;

async function survey(database: Reading, { now, codehost }: SurveyQuestion): Promise<InstallationSurvey> {
  const [found] = await database.read.select({ accounts: count() }).from(database.tables.users);
  const gates = await selectGates(database.read, database.tables);
  const longAtGate = openedBy(gates, new Date(now.getTime() - GATE_REMINDER_MS));
  return {
    accounts: found?.accounts ?? 0,
    longAtGate: longAtGate.length,
    misplaced: codehost === null ? [] : await misplacedRepos(database, codehost),
    history: await surveyHistory(database, now).catch(() => null),
  };
}

async function misplacedRepos({ read, tables: { repos } }: Reading, codehost: string): Promise<MisplacedRepo[]> {
  const hosted = await read
    .select({ id: repos.id, name: repos.name, url: repos.url })
    .from(repos)
    .where(and(eq(repos.provider, 'codehost'), isNull(repos.removedAt)))
    .orderBy(asc(repos.ordinal));
  return hosted.filter(({ url }) => hostedNameAt(codehost, url) === null);
}
