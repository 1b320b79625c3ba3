import type { Clock, EventsWritten, IssueId } from '@sluice/core';
import type { Database } from '../engine/database.ts';
import type { Db } from '../schema/kit.ts';

/** What every store is made of. */
export interface StoreContext {
  readonly database: Database;
  /** Dates rows and ends sessions. Leases go by the database's clock instead, see `Database.at`. */
  readonly clock: Clock;
  readonly listeners: StoreListeners;
  readonly slotRules: SlotRules;
}

/** How the pipeline slots are shared. Of this process: all that share a database should have the same. */
export interface SlotRules {
  /** How many slots the issues of one user may occupy at a time; null: no limit but the number of slots. */
  readonly perUser: number | null;
  /** Whether an issue that waits for a person keeps its slot. */
  readonly keptAtGate: boolean;
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
  /** Issues that become runnable later, with the milliseconds until then. */
  readonly due: Map<IssueId, number>;
}

/** Runs `work` as one transaction and, once it is committed, tells the listeners what came of it. */
export async function write<T>(context: StoreContext, work: (write: Write) => Promise<T>): Promise<T> {
  const { result, hints, runnable } = await context.database.tx(async (db) => {
    // Made in here: an engine may begin a transaction again, and what the first one noted never happened.
    const hints = new Map<IssueId, EventsWritten>();
    const runnable = new Set<IssueId>();
    const due = new Map<IssueId, number>();
    const result = await work({ context, db, now: context.clock.now(), hints, runnable, due });
    const now = [...runnable].map((issueId) => ({ issueId, inMs: 0 }));
    const later = [...due].map(([issueId, inMs]) => ({ issueId, inMs }));
    if (now.length + later.length > 0) await context.database.enqueue([...now, ...later]);
    return { result, hints, runnable };
  });
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
