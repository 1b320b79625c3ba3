import { AppError, rateLimits } from '@sluice/core';
import type { ApiDeps } from '../service/api-deps.ts';
import type { Actor } from '../session/actor.ts';
import { clientNetwork } from './client-network.ts';
import { type RouteMeta, rateLimitOf } from './route-meta.ts';

/** The caller of a request, known before its body is read. */
interface Caller {
  readonly ip: () => string;
  /** The session that the cookie names, looked up when it is first needed. */
  actor(): Promise<Actor | null>;
}

/**
 * The first two checks of every call, in this order: session, rate limit. The call counts whatever its outcome.
 *
 * @throws AppError `session_missing`, `rate_limited`
 */
export async function admitCaller(
  { limiter }: Pick<ApiDeps, 'limiter'>,
  caller: Caller,
  meta: RouteMeta,
): Promise<Actor | null> {
  const actor = meta.session === true ? await caller.actor() : null;
  if (meta.session === true && actor === null) throw new AppError('session_missing');
  const limit = rateLimitOf(meta);
  if (limit === undefined) return actor;

  const { points, windowSeconds, key } = rateLimits[limit];
  const who = key === 'ip' ? clientNetwork(caller.ip()) : actor?.user.id;
  if (who === undefined) throw new Error(`The limit ${limit} counts users, but its route needs no session.`);
  const verdict = await limiter.consume(limit, who);
  if (verdict.allowed) return actor;

  const seconds = Math.max(1, Math.ceil(verdict.resetMs / 1_000));
  throw new AppError('rate_limited', {
    detail: `At most ${points} requests in ${windowSeconds} seconds are allowed here. Try again in ${seconds} seconds.`,
    limit: points,
    windowSeconds,
    retryAfterMs: seconds * 1_000,
    headers: {
      'RateLimit-Policy': `"${limit}";q=${points};w=${windowSeconds}`,
      RateLimit: `"${limit}";r=0;t=${seconds}`,
    },
  });
}
