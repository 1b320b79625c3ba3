import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isAway, isUnanswered, pgFailure } from './pg-failure.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 10; // time for the pool to hear which other connections are lost too

/**
 * The pool for read-only queries. A query whose connection was lost is retried on another: reads are safe to repeat,
 * and after a server restart every idle connection is lost.
 */
export function readAgain(pool: Pool): Pool {
  const query = async (...args: unknown[]): Promise<unknown> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await (pool.query as (...args: unknown[]) => Promise<unknown>).apply(pool, args);
      } catch (error) {
        const mayHelp = isAway(error) && !isUnanswered(error);
        if (!mayHelp || tried === TRIES) throw pgFailure(error);
        await pause(FIRST_PAUSE_MS * 2 ** (tried - 1));
      }
    }
  };
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
