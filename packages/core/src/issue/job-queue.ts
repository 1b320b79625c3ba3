import type { IssueId, UserId } from '../id/id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { IssueStatus } from './issue-machine.ts';

/** Passes runnable issues to a worker: in process, or by a queue that several processes share. */
export interface JobDriver {
  /** Starts to call `handle` for runnable issues, at least once for each and for at most `concurrency` at a time. */
  start(options: { concurrency: number; handle: (issueId: IssueId) => Promise<void> }): Promise<void>;
  /** Starts no more handlers; resolves when the running ones have ended. */
  stop(): Promise<void>;
  /**
   * The time since the last poll of the queue that succeeded: its heartbeat. 0 while as many handlers run as may, for then
   * no poll is due, and always for a driver that has no queue to poll.
   */
  silentMs(): number;
}

/**
 * A driver whose queue has been silent for this long brings no issues: it polls every 2 s, and a poll on a database that
 * hangs gives up after 10 s.
 */
export const QUEUE_SILENT_MS = 30_000;

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

/** The issues that wait to start, and those that hold the slots, of all users. */
interface QueueOverview {
  readonly waitingForSlot: number;
  readonly waitingForRepo: number;
  /** Since when the first of those that wait for a slot does; null when none does. */
  readonly oldestQueuedAt: Date | null;
  /** By number. */
  readonly slots: readonly SlotUse[];
}

export interface SlotUse {
  readonly number: number;
  /** The number of slots was lowered: this one is removed when it is freed. */
  readonly isRetired: boolean;
  readonly holder: SlotHolder | null;
}

/** The issue that holds a slot. */
interface SlotHolder {
  readonly issueId: IssueId;
  readonly title: string;
  readonly owner: { readonly id: UserId; readonly email: string | null; readonly codehostLogin: string | null };
  readonly status: IssueStatus;
  readonly stage: Stage | null;
  /** The time at which it took the slot. */
  readonly since: Date | null;
  /** The worker that runs it; null at a gate, or between two workers. */
  readonly workerId: string | null;
}

/** Reads the state of the queue. */
export interface QueueStats {
  load(): Promise<QueueLoad>;
  overview(): Promise<QueueOverview>;
}
