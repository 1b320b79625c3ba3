import type { IssueId } from '@sluice/core/id';
import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';

/** An issue to be claimed. */
interface IssueJob {
  readonly issueId: IssueId;
  /** Milliseconds until it may be claimed. */
  readonly inMs: number;
}

/**
 * Defers a statement to the end of the transaction, where Postgres gets it in one message with the commit: for what
 * nothing in the transaction reads. They run in the order in which they were given. `statement` starts one statement and
 * awaits nothing else.
 */
export type AtEnd = (statement: () => PromiseLike<unknown>) => void;

/** An open database as the stores see it. Everything that differs between the engines is behind these members. */
export interface Database {
  readonly tables: Tables;
  /** For reads only; SQLite refuses writes on it. */
  readonly read: Db;
  /**
   * Runs `work` as one transaction. Inside, only queries on `db` may be awaited, because every other writer waits for
   * it. Postgres gets the queries that are started in one turn of the event loop as one message, and runs them in order.
   *
   * @throws Error when called inside another `tx`
   */
  tx<T>(work: (db: Db, atEnd: AtEnd) => Promise<T>): Promise<T>;
  /**
   * Taken by every transaction that touches the queue, the slots or the active remotes, or that must be the first where
   * no row exists to lock. The first statement of the transaction, held from the next one to the end: what is not read
   * by a statement is not covered.
   */
  lockDispatch(db: Db): Promise<void>;
  /**
   * Adds jobs to the queue in the database at the end of the current transaction. Does nothing where there is no such
   * queue.
   */
  enqueue(jobs: readonly IssueJob[], atEnd: AtEnd): void;
  /**
   * The database's time, `ms` milliseconds from now. Hosts' clocks differ, and a lease must mean the same to all
   * processes.
   */
  at(ms: number | Placeholder): SQL;
  /** The milliseconds from one instant to another, as a whole number. */
  msBetween(from: Column, to: Column): SQL<number>;
  /** The bytes that a value takes, found without reading it: long ones are stored apart. */
  bytesOf(column: Column): SQL;
  /**
   * The table, read by that index: for the newest rows of several owners, which SQLite finds by it a few for each. Once it has counted,
   * and there are few repositories, it would rather walk the whole table from the newest down and leave out what
   * does not match: somebody with few issues then waits for all those of others. Postgres chooses for the values at hand.
   */
  readBy(table: PgTable, index: string): SQL;
  /** The ordinal up to which no further event can appear, see `EventLog`. */
  settledEvents(): Promise<number>;
  /** The ordinal up to which no further audit entry can appear, see `AuditSealStore`. */
  settledAudit(): Promise<number>;
  /** The highest ordinal that an event was ever given, see `EventLog`. */
  lastEventOrdinal(): Promise<number>;
  /** Refreshes the figures by which plans are chosen. Nothing on Postgres, which does it by itself; so the next one. */
  optimize(): Promise<void>;
  /**
   * Writes something small as it is, in the current transaction, so that its commit reaches the disk. What another
   * transaction holds is left, because that one could write.
   */
  rewrite(): Promise<void>;
  /** Whether an error says only that another process writes at this moment. */
  isHeldByOther(error: unknown): boolean;
  /** Whether an error says that nothing can be written: a full disk, a database that is read-only. */
  isUnwritable(error: unknown): boolean;
  /** Gives some of the file's free pages back to the disk. @returns whether there are more to give */
  releaseSpace(): Promise<boolean>;
  /** How many rows one statement of a long read may add up: SQLite reads them in the event loop, where all else waits. */
  readonly rowsAtOnce: number;
  /**
   * Called before each method of a store: what to await first, so that a loop over calls lets the event loop turn. Null
   * where nothing is; always on Postgres, whose answers come with a turn.
   */
  turn(): Promise<void> | null;
  /** The error as callers of a store may see it: without the query and its values. */
  failure(error: unknown): unknown;
  close(): Promise<void>;
}
