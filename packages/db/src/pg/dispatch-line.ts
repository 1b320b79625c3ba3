import { AppError, createSemaphore } from '@sluice/core';

/** The line of this process's transactions in front of the dispatch lock. */
export interface DispatchLine {
  /**
   * Runs `lock`, which takes the lock, when its turn comes. The turn passes on once the lock is held, so that the next
   * one already waits in the database when it is free.
   *
   * @throws AppError `not_ready` when its turn does not come in time
   */
  enter(lock: () => Promise<void>): Promise<void>;
}

/**
 * A transaction that waits for the lock in the database occupies a connection. Without this line, a few of them would
 * occupy them all, and reads, renewals and the readiness check would wait with them.
 *
 * @param waitMs the longest wait for a turn
 */
export function createDispatchLine(waitMs: number): DispatchLine {
  const turns = createSemaphore(1);
  return {
    enter: async (lock) => {
      const overdue = AbortSignal.timeout(waitMs);
      let isTurn = false;
      try {
        await turns.run(() => {
          isTurn = true;
          return lock();
        }, overdue);
      } catch (error) {
        if (isTurn) throw error;
        throw new AppError('not_ready', { detail: 'The database is too busy to answer in time.' }, { cause: error });
      }
    },
  };
}
