import { createSemaphore } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';

/** The line of this process's transactions in front of the dispatch lock. */
export interface DispatchLine {
  /**
   * Runs `lock`, which asks for the lock, when its turn comes, and does not wait for its answer: so the next statement of
   * the transaction, which Postgres runs once the lock is held, goes into the same message. The turn passes on with the
   * answer, so that the next one already waits in the database when the lock is free.
   *
   * @throws AppError `not_ready` when its turn does not come in time. The error of `lock` is not passed on: every other
   *   statement of its message has it
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
    enter: (lock) =>
      new Promise((resolve, reject) => {
        const turn = () => {
          const held = lock();
          resolve();
          return held;
        };
        turns.run(turn, AbortSignal.timeout(waitMs)).catch((cause: unknown) => {
          reject(new AppError('not_ready', { detail: 'The database is too busy to answer in time.' }, { cause }));
        });
      }),
  };
}
