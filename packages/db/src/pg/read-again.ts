import { retry } from '@sluice/core';
import type { Pool } from 'pg';
import { isAway, isUnanswered, pgFailure } from './pg-failure.ts';

const ATTEMPTS = 4;
const BACKOFF = { firstMs: 10 }; // time for the pool to learn which other connections are lost too

/**
 * The pool for read-only queries. A query whose connection was lost is retried on another: reads are safe to repeat,
 * and after a server restart every idle connection is lost.
 */
export function readAgain(pool: Pool): Pool {
  const isRetryable = (error: unknown) => isAway(error) && !isUnanswered(error);
  const query = (...args: unknown[]): Promise<unknown> =>
    retry({ backoff: BACKOFF, attempts: ATTEMPTS, isRetryable }, () =>
      (pool.query as (...args: unknown[]) => Promise<unknown>).apply(pool, args),
    ).catch((error: unknown) => {
      throw pgFailure(error);
    });
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
