import type { Clock, EventsWritten, IssueId } from '@sluice/core';
import type { Database } from './database.ts';
import type { Db } from './kit.ts';

/** What every store is made of. */
export interface StoreContext {
  readonly database: Database;
  /** Dates rows and ends sessions. Leases go by the database's clock instead, see `Database.at`. */
  readonly clock: Clock;
  readonly listeners: StoreListeners;
}

/** Told after a commit, never inside one, and never of what was rolled back. */
export interface StoreListeners {
  /** Events of an issue were written, up to `seq`. */
  onEvents?: ((hint: EventsWritten) => void) | undefined;
  /** Issues can be claimed now: admitted to a slot, decided, or let go of. */
  onRunnable?: ((issueIds: readonly IssueId[]) => void) | undefined;
  /** Told of what one of the others threw: the write stands, whoever was to hear of it. */
  onListenerError?: ((error: unknown) => void) | undefined;
}

/** A write under way: its transaction, its one moment in time, and what to tell once it is committed. */
export interface Write {
  readonly context: StoreContext;
  readonly db: Db;
  readonly now: Date;
  readonly hints: Map<IssueId, EventsWritten>;
  readonly runnable: Set<IssueId>;
}

/** Runs `work` as one transaction and, once it is committed, tells the listeners what came of it. */
export async function write<T>(context: StoreContext, work: (write: Write) => Promise<T>): Promise<T> {
  const hints = new Map<IssueId, EventsWritten>();
  const runnable = new Set<IssueId>();
  const result = await context.database.tx((db) => work({ context, db, now: context.clock.now(), hints, runnable }));
  const { onEvents, onRunnable, onListenerError } = context.listeners;
  const tell = (deliver: () => void) => {
    try {
      deliver();
    } catch (error) {
      onListenerError?.(error);
    }
  };
  for (const hint of hints.values()) tell(() => onEvents?.(hint));
  if (runnable.size > 0) tell(() => onRunnable?.([...runnable]));
  return result;
}
