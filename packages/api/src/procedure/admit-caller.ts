import { includesScope, scopeInsufficient } from '@sluice/core/access';
import type { ApiToken } from '@sluice/core/api-token';
import { AppError } from '@sluice/core/error';
import { describeLimit, type Limiter, type RateLimitName } from '@sluice/core/request';
import type { Actor } from '../identity/session/actor.ts';
import type { ApiDeps } from '../service/api-deps.ts';
import { clientNetwork } from './client-network.ts';
import { type RouteMeta, rateLimitOf } from './route-meta.ts';

/** The caller of a request, known before its body is read. */
interface Caller {
  readonly ip: () => string;
  /** Whether it brings an API token, or what looks like one. */
  readonly bringsToken: boolean;
  /** The session or token that the request names, looked up when it is first needed; or the refusal. */
  find(): Promise<Actor | AppError>;
  /** Whether a session may do nothing but enroll a second factor. */
  mustEnroll(actor: Actor): boolean;
}

/** A caller who may go on. */
export interface Admission {
  readonly actor: Actor | null;
  /** Has to be told whether the call succeeded, where its limit counts only some calls; otherwise null. */
  readonly settle: ((succeeded: boolean) => Promise<void>) | null;
}

/**
 * The first two checks of every call, in this order: session, rate limit. The call counts before it is carried out, whatever
 * its limit counts, so that calls at the same time cannot pass a limit together; `settle` may take it back. A token that can never
 * do this is refused here too, before the body is read.
 *
 * @throws AppError `session_missing`, `token_invalid`, `token_expired`, `credentials_ambiguous`,
 * `second_factor_enrollment_required`, `rate_limited`, `session_required`, `token_scope_insufficient`
 */
export async function admitCaller(
  { limiter }: Pick<ApiDeps, 'limiter'>,
  caller: Caller,
  meta: RouteMeta,
): Promise<Admission> {
  const actor = meta.session === true ? await findActor(limiter, caller) : null;
  // A program with a token never gets a session.
  if (caller.bringsToken && meta.headers?.['Set-Cookie'] !== undefined && actor === null) {
    throw new AppError('credentials_ambiguous', {
      detail: 'This begins a session, and the request brings an API token. Send it without the Authorization header.',
    });
  }
  if (actor !== null && meta.whileEnrolling !== true && caller.mustEnroll(actor)) {
    throw new AppError('second_factor_enrollment_required');
  }
  if (actor?.token) {
    await consume(limiter, 'api_token', actor.token.id);
    requireReach(actor.token, meta);
  }
  const name = rateLimitOf(meta);
  const limit = name === undefined ? null : limiter.limits[name];
  if (name === undefined || limit === null) return { actor, settle: null };

  const who = limit.key === 'ip' ? clientNetwork(caller.ip()) : actor?.user.id;
  if (who === undefined) throw new Error(`The limit ${name} counts users, but its route needs no session.`);
  const { counts } = limit;
  // A refused call is work too: it counts like any other change where its own limit forgets it.
  if (counts === 'accepted') await consume(limiter, 'mutation', who);
  const giveBack = await consume(limiter, name, who);
  if (counts === undefined || counts === 'all') return { actor, settle: null };
  const keeps = counts === 'accepted';
  return { actor, settle: (succeeded) => (succeeded === keeps ? Promise.resolve() : giveBack()) };
}

/** Counts wrong tokens by address. A right one is never refused for those of its neighbours. */
async function findActor(limiter: Limiter, caller: Caller): Promise<Actor> {
  const found = await caller.find();
  if (!(found instanceof AppError)) return found;
  if (found.code === 'token_invalid' || found.code === 'token_expired') {
    await consume(limiter, 'failed_api_token', clientNetwork(caller.ip()));
  }
  throw found;
}

/** @throws AppError `session_required`, `token_scope_insufficient` */
function requireReach({ scope, repoId }: ApiToken, { token: needed }: RouteMeta): void {
  if (needed === undefined) throw new AppError('session_required');
  if (!includesScope(scope, needed.scope)) throw scopeInsufficient(scope, needed.scope);
  if (needed.reach === 'account' && repoId !== null) {
    throw new AppError('token_scope_insufficient', {
      detail:
        'The API token is limited to one repository, and this is about all of them. Create one without a repository.',
      body: { scope, needed_scope: needed.scope },
    });
  }
}

/** @throws AppError `rate_limited` */
async function consume(limiter: Limiter, name: RateLimitName, who: string): Promise<() => Promise<void>> {
  const verdict = await limiter.consume(name, who);
  const limit = limiter.limits[name];
  if (verdict.allowed || limit === null) return verdict.giveBack;
  const { points, windowSeconds } = limit;
  const seconds = Math.max(1, Math.ceil(verdict.resetMs / 1_000));
  throw new AppError('rate_limited', {
    detail: `${describeLimit(limit)} Try again in ${waitText(seconds)}.`,
    limit: points,
    windowSeconds,
    retryAfterMs: seconds * 1_000,
    headers: {
      'RateLimit-Policy': `"${name}";q=${points};w=${windowSeconds}`,
      RateLimit: `"${name}";r=0;t=${seconds}`,
    },
  });
}

/** Rounded up to minutes where seconds are more than a person counts. */
function waitText(seconds: number): string {
  const [count, unit] = seconds <= 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
