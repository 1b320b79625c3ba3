import type { IssueId } from '@sluice/core';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';

/** An issue to be claimed. */
interface IssueJob {
  readonly issueId: IssueId;
  /** Milliseconds until it may be claimed. */
  readonly inMs: number;
}

/** An open database as the stores see it. Everything that differs between the engines is behind these members. */
export interface Database {
  readonly tables: Tables;
  /** For reads only; SQLite refuses writes on it. */
  readonly read: Db;
  /**
   * Runs `work` as one transaction. Inside, only queries on `db` may be awaited, because every other writer waits for
   * it.
   *
   * @throws Error when called inside another `tx`
   */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Taken by every transaction that touches the queue, the slots or the active remotes, or that must be the first where
   * no row exists to lock. The first statement of the transaction; held to its end.
   */
  lockDispatch(db: Db): Promise<void>;
  /**
   * Adds jobs to the queue in the database, within the current transaction. Does nothing where there is no such queue.
   */
  enqueue(jobs: readonly IssueJob[]): Promise<void>;
  /**
   * The database's time, `ms` milliseconds from now. Hosts' clocks differ, and a lease must mean the same to all
   * processes.
   */
  at(ms: number): SQL;
  /** The ordinal up to which no further event can appear, see `EventLog`. */
  settledEvents(): Promise<number>;
  /** The error as callers of a store may see it: without the query and its values. */
  failure(error: unknown): unknown;
  close(): Promise<void>;
}
