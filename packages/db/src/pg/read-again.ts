import { retry } from '@sluice/core/async';
import type { Pool, QueryConfig } from 'pg';
import { createNamedStatements } from './named-statements.ts';
import { isAway, isStaleStatement, isUnanswered, pgFailure } from './pg-failure.ts';

const ATTEMPTS = 4;
const BACKOFF = { firstMs: 10 }; // time for the pool to learn which other connections are lost too

/**
 * The pool for read-only queries. A query whose connection was lost is retried on another: reads are safe to repeat,
 * and after a server restart every idle connection is lost. A stale prepared statement is prepared again.
 */
export function readAgain(pool: Pool): Pool {
  const named = createNamedStatements('sluice_read');
  const isRetryable = (error: unknown) => {
    const isStale = isStaleStatement(error);
    if (isStale) named.renew();
    return isStale || (isAway(error) && !isUnanswered(error));
  };
  const query = (config: QueryConfig | string, values?: unknown[]): Promise<unknown> =>
    retry({ backoff: BACKOFF, attempts: ATTEMPTS, isRetryable }, () => {
      const isNamed = typeof config === 'object' && Boolean(config.name);
      return (isNamed ? named.on(pool) : pool).query(config as QueryConfig, values);
    }).catch((error: unknown) => {
      throw pgFailure(error);
    });
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
