import type { Pool } from 'pg';
import { isAway, isUnanswered, pgFailure } from './pg-failure.ts';

/**
 * The pool for queries that only read. One whose connection turns out to be lost is asked once more on another:
 * reading twice changes nothing, and after a restart of the server every idle connection of the pool is such a one.
 */
export function readAgain(pool: Pool): Pool {
  const query = async (...args: unknown[]): Promise<unknown> => {
    const ask = () => (pool.query as (...args: unknown[]) => Promise<unknown>).apply(pool, args);
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error) || isUnanswered(error)) throw pgFailure(error);
      return await ask().catch((again: unknown) => {
        throw pgFailure(again);
      });
    }
  };
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
