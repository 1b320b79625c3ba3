import type { Clock } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { EventsWritten } from '@sluice/core/issue';
import type { ApprovalPolicy } from '@sluice/core/pipeline';
import type { AtEnd, Database } from '../engine/database.ts';
import type { Db } from '../schema/kit.ts';

/** The dependencies of every store. */
export interface StoreContext {
  readonly database: Database;
  /** Clock for row timestamps and session expiry. Leases use the database's clock instead, see `Database.at`. */
  readonly clock: Clock;
  readonly listeners: StoreListeners;
  readonly slotRules: SlotRules;
  /** The minimum of approvals in all repositories. Set per process; all processes on one database should agree. */
  readonly leastApproval: ApprovalPolicy;
  /** Milliseconds since a fixed moment, for what is remembered for a while; left out: of this process. */
  readonly elapsedMs?: (() => number) | undefined;
}

/** How slots are shared. Set per process; all processes on one database should agree. */
export interface SlotRules {
  /** Slots that one user's issues may occupy; null: no limit. */
  readonly perUser: number | null;
  /** Whether an issue keeps its slot at a gate. */
  readonly keptAtGate: boolean;
}

/** Called after a commit, never inside a transaction or for one that was rolled back. */
export interface StoreListeners {
  /** Events of an issue were written, up to `seq`. */
  onEvents?: ((hint: EventsWritten) => void) | undefined;
  /** Issues became claimable: admitted to a slot, decided, or released. */
  onRunnable?: ((issueIds: readonly IssueId[]) => void) | undefined;
  /** Called with what another listener threw; the write is committed in any case. */
  onListenerError?: ((error: unknown) => void) | undefined;
}

/** A running write: its transaction, its single timestamp, and what to signal after the commit. */
export interface Write {
  readonly context: StoreContext;
  readonly db: Db;
  /** For the statements that nothing in this transaction reads, such as its events. */
  readonly atEnd: AtEnd;
  readonly now: Date;
  readonly hints: Map<IssueId, EventsWritten>;
  readonly runnable: Set<IssueId>;
  /** Issues that become runnable later, with the delay in milliseconds. */
  readonly due: Map<IssueId, number>;
  /** Reads and writes that follow from this transaction's, done after them. */
  readonly consequences: (() => Promise<void>)[];
}

/** Runs `work` as one transaction and calls the listeners after the commit. */
export async function write<T>(context: StoreContext, work: (write: Write) => Promise<T>): Promise<T> {
  const { result, hints, runnable } = await context.database.tx(async (db, atEnd) => {
    // Created here because an engine may retry the transaction.
    const hints = new Map<IssueId, EventsWritten>();
    const runnable = new Set<IssueId>();
    const due = new Map<IssueId, number>();
    const consequences: (() => Promise<void>)[] = [];
    const now = context.clock.now();
    const result = await work({ context, db, atEnd, now, hints, runnable, due, consequences });
    for (const consequence of consequences) await consequence();
    const atOnce = [...runnable].map((issueId) => ({ issueId, inMs: 0 }));
    const later = [...due].map(([issueId, inMs]) => ({ issueId, inMs }));
    if (atOnce.length + later.length > 0) context.database.enqueue([...atOnce, ...later], atEnd);
    return { result, hints, runnable };
  });
  const { onEvents, onRunnable, onListenerError } = context.listeners;
  const notify = (deliver: () => void) => {
    try {
      deliver();
    } catch (error) {
      onListenerError?.(error);
    }
  };
  for (const hint of hints.values()) notify(() => onEvents?.(hint));
  if (runnable.size > 0) notify(() => onRunnable?.([...runnable]));
  return result;
}
