import { AsyncLocalStorage } from 'node:async_hooks';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';

/** A plan by which one statement of this process fails in its driver, on whichever connection it comes. */
export interface StatementFault {
  /** Which statement, from 1 on, counted from when it is set. */
  readonly at: number;
  seen: number;
  /** The statement that failed. */
  failed: string | null;
}

let fault: StatementFault | null = null;
const watching = new AsyncLocalStorage<true>();

/** From now on the `at`th statement fails; null: none. */
export function failStatement(at: number | null): StatementFault {
  const next: StatementFault = { at: at ?? 0, seen: 0, failed: null };
  fault = at === null ? null : next;
  return next;
}

/** Runs statements of the test itself: they neither count nor fail. */
export function untouched<T>(work: () => Promise<T>): Promise<T> {
  return watching.run(true, work);
}

function isToFail(sql: string): boolean {
  // A rollback that fails as well makes the owner discard the connection, which shows nothing.
  if (fault === null || watching.getStore() === true || /^rollback/i.test(sql)) return false;
  fault.seen += 1;
  if (fault.seen !== fault.at) return false;
  fault.failed = sql;
  return true;
}

/** SQLite: as when the disk is full for a moment. */
const { prepare, exec } = Sqlite.prototype;
const full = () => new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
Sqlite.prototype.prepare = function faulty(this: Sqlite.Database, sql: string) {
  if (isToFail(sql)) throw full();
  return prepare.call(this, sql);
} as typeof prepare;
Sqlite.prototype.exec = function faulty(this: Sqlite.Database, sql: string) {
  if (isToFail(sql)) throw full();
  return exec.call(this, sql);
} as typeof exec;

/** Postgres: the connection is lost just before the statement is sent on it. */
const { query } = Client.prototype;
Client.prototype.query = function faulty(this: Client, ...args: Parameters<typeof query>) {
  const [asked] = args as unknown as [string | { text?: string }];
  const sql = typeof asked === 'string' ? asked : (asked.text ?? '');
  const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
  if (isToFail(sql)) connection.stream.destroy();
  return query.apply(this, args);
} as unknown as typeof query;
