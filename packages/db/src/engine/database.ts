import type { IssueId } from '@sluice/core';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';

/** An issue that somebody should claim. */
interface IssueJob {
  readonly issueId: IssueId;
  /** Not before so many milliseconds have passed. */
  readonly inMs: number;
}

/** One engine, opened: all that the stores know of it. What the engines do differently stands behind these members. */
export interface Database {
  readonly tables: Tables;
  /** For reading alone; SQLite refuses a write on it. */
  readonly read: Db;
  /**
   * Runs `work` as one transaction: all of it or nothing. Inside, nothing but queries on `db` is awaited: everybody
   * who writes waits for it.
   *
   * @throws Error when called inside another `tx`
   */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Held to the end of the transaction by whoever touches the queue, the slots or the active remotes, or has to be the
   * first where no row can be locked yet; taken first.
   */
  lockDispatch(db: Db): Promise<void>;
  /** Puts these into the queue that the database holds, in the transaction that it is called in; nothing without one. */
  enqueue(jobs: readonly IssueJob[]): Promise<void>;
  /** The database's own time, `ms` milliseconds from now: hosts' clocks differ, and a lease must mean the same to all. */
  at(ms: number): SQL;
  /** The ordinal up to which no event can appear any more, see `EventFeed`. */
  settledEvents(): Promise<number>;
  /** What the engine threw, as whoever asked a store may see it: no query, no values. */
  failure(error: unknown): unknown;
  close(): Promise<void>;
}
