import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as atNextTurn } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { max, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Database } from '../engine/database.ts';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { type Migration, pendingMigrations, readMigrations } from '../engine/migrations.ts';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import * as tables from '../schema/schema-sqlite.ts';
import { lockForCommand, lockInstance } from './instance-lock.ts';
import { appliedTo, migrateSqlite } from './migrate-sqlite.ts';
import { refuseMoved } from './moved-mark.ts';
import { openReader, openWriter } from './sqlite-connections.ts';
import { sqliteRefusal } from './sqlite-refusal.ts';
import { createSqliteTransactions, isHeldByOther, isUnwritable } from './sqlite-transactions.ts';
import { countAsBusy, optimize, releasePages } from './sqlite-upkeep.ts';
import { rewrittenOf } from './vacuum-sqlite.ts';

export interface SqliteFile {
  /** The folder, created if it does not exist. */
  readonly dataDir: string;
  /** Called when the disk is full; returns whether it freed space. */
  readonly onFull?: (() => boolean) | undefined;
  /** The time in Unix milliseconds in place of SQLite's own. */
  readonly databaseNow?: (() => number) | undefined;
  /** Work beside a server that runs on the folder, instead of being refused. */
  readonly besideServer?: boolean | undefined;
}

/**
 * Opens and migrates `sluice.db` in the data folder, for this process alone, or beside its server.
 *
 * @throws DatabaseRefusal when another process uses the folder, or the database is damaged, unreadable or of a newer
 * version; beside a server also when it is of an older one
 */
export function openSqliteDatabase(given: SqliteFile): Database {
  const { dataDir: folder, onFull, databaseNow: now } = given;
  const opened: { close(): void }[] = [];
  const closeAll = () => {
    for (const resource of opened.splice(0).reverse()) resource.close();
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = given.besideServer === true ? lockForCommand(folder) : { ...lockInstance(folder), isAlone: true };
    opened.push({ close: () => lock.release() });
    refuseMoved(folder);
    const file = join(folder, 'sluice.db');
    if (lock.isAlone) rmSync(rewrittenOf(file), { force: true });
    const writer = openWriter(file);
    opened.push({ close: () => void writer.close() });
    const migrations = readMigrations('sqlite');
    if (lock.isAlone) migrateSqlite(writer, migrations);
    else refuseOtherSchema(writer, migrations);
    if (lock.isAlone) countAsBusy(writer); // counted by an earlier release
    lock.admitCommands();
    const reader = openReader(file);
    opened.push({ close: () => void reader.close() });
    if (now !== undefined)
      for (const one of [writer, reader]) one.function('unixepoch', { varargs: true }, () => now() / 1000);
    return overConnections({ writer, reader, closeAll, onFull, isSimulated: now !== undefined });
  } catch (error) {
    closeAll();
    throw sqliteRefusal(error);
  }
}

/** @throws DatabaseRefusal `in_use` when the server that runs is of an older release, `newer` when it is of a newer one */
function refuseOtherSchema(writer: Sqlite.Database, known: readonly Migration[]): void {
  if (pendingMigrations(known, appliedTo(writer)).length === 0) return;
  throw new DatabaseRefusal(
    'in_use',
    'A server of an older release uses this data folder: stop it, or run the command of its release.',
  );
}

function overConnections(connections: {
  writer: Sqlite.Database;
  reader: Sqlite.Database;
  closeAll: () => void;
  onFull: (() => boolean) | undefined;
  isSimulated: boolean;
}): Database {
  const { isSimulated } = connections;
  const lastOrdinal = connections.reader.prepare("select seq from sqlite_sequence where name = 'events'").pluck();
  const lastAudit = connections.reader.prepare('select max(ordinal) from audit_entries').pluck();
  const transactions = createSqliteTransactions(connections.writer, connections.onFull);
  const write = asDb(connections.writer);
  const read = asDb(connections.reader);
  return {
    tables: tables as Tables,
    read,
    tx: (work) =>
      transactions.run(async () => {
        const last: (() => PromiseLike<unknown>)[] = [];
        const result = await work(write, (statement) => void last.push(statement));
        for (const statement of last) await statement();
        return result;
      }),
    lockDispatch: async () => {}, // `begin immediate` is that lock
    enqueue: () => {}, // the issues themselves are the queue
    readBy: (table, index) => sql`${table} indexed by ${sql.identifier(index)}`,
    msBetween: (from, to) => sql`${to} - ${from}`,
    bytesOf: (column) => sql`octet_length(${column})`,
    at: (ms) => sql`cast(unixepoch('subsec') * 1000 + ${ms} as integer)`,
    // One writes at a time, so rows are seen in the order of their numbers.
    settledEvents: async () => {
      const { events } = tables as Tables;
      const [last] = await read.select({ ordinal: max(events.ordinal) }).from(events);
      return last?.ordinal ?? 0;
    },
    settledAudit: async () => (lastAudit.get() as number | null) ?? 0,
    // Not the last row's, which may have been deleted.
    lastEventOrdinal: async () => (lastOrdinal.get() as number | undefined) ?? 0,
    // Not a row: SQLite compares what an update writes with what is there, and leaves the page alone.
    rewrite: async () => {
      requireRoom(dirname(connections.writer.name));
      const version = connections.writer.pragma('user_version', { simple: true });
      connections.writer.pragma(`user_version = ${version}`);
    },
    isHeldByOther,
    isUnwritable,
    optimize: () => transactions.run(async () => optimize(connections.writer)),
    releaseSpace: () => transactions.run(async () => releasePages(connections.writer)),
    rowsAtOnce: 1_000, // some 3 ms, 8 on a busy machine
    // In a simulation the time stands still within a turn, and the real one would decide the order.
    turn: isSimulated ? () => null : createLoopTurns(),
    failure: (error) => error,
    close: async () => {
      await transactions.end();
      try {
        optimize(connections.writer);
      } catch {
        // The disk is full or the file is held: the next run has the statistics of before.
      } finally {
        connections.closeAll();
      }
    },
  };
}

/** The second of the two casts, see the kit: drizzle's SQLite builders answer to the same calls as the Postgres ones. */
function asDb(client: Sqlite.Database): Db {
  return drizzle({ client: withStatementCache(client) as Sqlite.Database }) as unknown as Db;
}

/**
 * The statements that are kept. There are some 250, and one more for each number of rows of an `in` or of an insert.
 */
const MAX_STATEMENTS = 500;
const PLACEHOLDER = /'[^']*'|"[^"]*"|\?/g;

/**
 * The connection, which compiles each statement once, however often its text is prepared; beyond `mostKept` texts the one
 * that was not used for longest is dropped. SQLite compiles a kept statement again by itself when the tables have changed.
 */
export function withStatementCache(
  connection: Pick<Sqlite.Database, 'prepare'>,
  mostKept = MAX_STATEMENTS,
): Pick<Sqlite.Database, 'prepare'> {
  const kept = new Map<string, Sqlite.Statement>();
  const prepare = (text: string) => {
    const known = kept.get(text);
    const statement = known ?? connection.prepare(plannedOnce(text));
    if (known !== undefined) kept.delete(text); // the latest use is the last one
    kept.set(text, statement);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
  return { prepare: prepare as Sqlite.Database['prepare'] };
}

/**
 * The statement with `+?` for `?`, which has the same value. Where SQLite looks at the value of a bare placeholder to choose
 * a plan, as in a limit or in most joins, it compiles the statement again for each new value: that takes several times as
 * long as running it. There is no plan here that depends on a value.
 */
function plannedOnce(text: string): string {
  return text.replace(PLACEHOLDER, (found) => (found === '?' ? '+?' : found));
}

/** Far below what a person notices, and longer than the calls of a usual request take together. */
const MAX_MS = 5;

/**
 * Tells before each call whether the event loop should turn first: when calls have followed each other for 5 ms and it has
 * not turned since. SQLite answers at once, so that an await of its answer is a microtask: without this a loop over pages, however
 * long, lets no timer, no other request and no abort in.
 */
export function createLoopTurns(now: () => number = () => performance.now()): () => Promise<void> | null {
  let since: number | null = null;
  return () => {
    if (since !== null) return now() - since < MAX_MS ? null : nextTurn();
    since = now();
    atNextTurn(() => {
      since = null;
    });
    return null;
  };
}

const MIN_FREE_BYTES = 1024 * 1024; // as large as a request may be

/**
 * The log of changes keeps its size, so that on a full disk small changes go into the room of earlier ones for a while, and
 * larger ones fail.
 *
 * @throws SqliteError `SQLITE_FULL`
 */
function requireRoom(folder: string): void {
  const { blocks, bfree, bavail, bsize } = statfsSync(folder);
  const isKnown = blocks > 0; // some network file systems do not tell
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  if (isKnown && free < MIN_FREE_BYTES) throw new Sqlite.SqliteError('less than 1 MiB is free', 'SQLITE_FULL');
}
