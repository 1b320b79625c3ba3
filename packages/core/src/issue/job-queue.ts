import type { IssueId } from '../id/id.ts';

/** Passes runnable issues to a worker: in process, or by a queue that several processes share. */
export interface JobDriver {
  /** Starts to call `handle` for runnable issues, at least once for each and for at most `concurrency` at a time. */
  start(options: { concurrency: number; handle: (issueId: IssueId) => Promise<void> }): Promise<void>;
  /** Starts no more handlers; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** Receives the issues that a committed transaction has made runnable. The store calls it. */
export interface JobSink {
  runnable(issueIds: readonly IssueId[]): void;
}

/** The load of the queue, over all processes that share the database. */
export interface QueueLoad {
  /** Issues that are queued for a slot. */
  readonly queued: number;
  /** Issues that hold a slot. */
  readonly active: number;
  /** Issues that have held a slot at a gate for longer than `GATE_REMINDER_MS`. */
  readonly longAtGate: number;
  /** The longest time in the queue; 0 when it is empty. */
  readonly oldestQueuedMs: number;
}

/** Reads the load of the queue. */
export interface QueueStats {
  load(): Promise<QueueLoad>;
}
