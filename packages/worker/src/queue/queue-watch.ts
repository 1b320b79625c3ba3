import type { Timers } from '@sluice/core/async';
import { QUEUE_SILENT_MS } from '@sluice/core/issue';

const CHECK_MS = 5_000;
/** A check this late means that the whole process stood still, not the queue alone. */
const LATE_MS = 2 * CHECK_MS;
/** Silence is only looked into when it is longer than a poll that gives up on a database that hangs. */
const QUIET_MS = 11_000;

export interface WatchedQueue {
  readonly timers: Timers;
  /** Whether as many issues run as may, so that no poll is due. */
  isFull(): boolean;
  /** Whether the database answers a connection of its own, and takes changes. Never throws. */
  databaseAnswers(): Promise<boolean>;
  /** Replaces the runner and its connections. */
  replace(): void;
  /** The replacement is silent too. Called once. */
  giveUp(): void;
}

/** The heartbeat of a queue, and what is done when it stops. */
export interface QueueWatch {
  /** A poll has succeeded. */
  polled(): void;
  silentMs(): number;
  stop(): void;
}

/**
 * Watches that a queue is polled. It is replaced when it was silent for `QUEUE_SILENT_MS` although the database answered all the
 * time, and given up when its replacement is silent for as long. While the database is away or read-only, nothing is replaced or given
 * up: the queue comes back with it.
 */
export function watchQueue({ timers, isFull, databaseAnswers, replace, giveUp }: WatchedQueue): QueueWatch {
  const startedAt = timers.now();
  let polledAt = startedAt;
  /** Since when the database has answered, as far as is known; null while it does not. */
  let answeringSince: number | null = startedAt;
  let replacedAt = Number.NEGATIVE_INFINITY;
  let checkedAt = startedAt;
  let isChecking = false;

  function polled(): void {
    polledAt = timers.now();
    answeringSince ??= polledAt;
  }

  async function check(): Promise<void> {
    const now = timers.now();
    if (now - checkedAt > LATE_MS) answeringSince = now;
    checkedAt = now;
    if (isFull()) polled();
    if (now - polledAt < QUIET_MS) return;
    if (!(await databaseAnswers())) {
      answeringSince = null;
      return;
    }
    answeringSince ??= timers.now();
    const silentSince = Math.max(polledAt, answeringSince, replacedAt);
    if (timers.now() - silentSince < QUEUE_SILENT_MS) return;
    if (replacedAt < polledAt) {
      replacedAt = timers.now();
      replace();
    } else {
      stop();
      giveUp();
    }
  }

  const stop = timers.every(CHECK_MS, () => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  });
  return { polled, silentMs: () => (isFull() ? 0 : timers.now() - polledAt), stop };
}
