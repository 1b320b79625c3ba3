import type { TokenScope } from '@sluice/core/access';
import { initTRPC } from '@trpc/server';
import { publicError } from '../error/public-error.ts';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { HEARTBEAT_MS } from '../feed/heartbeat.ts';
import { type Actor, callerBy, initiatorOf, type SessionActor } from '../session/actor.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteMeta } from './route-meta.ts';

const t = initTRPC
  .context<RequestContext>()
  .meta<RouteMeta>()
  .create({
    // Not left to NODE_ENV: forgetting the variable must not send stacks to clients.
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: HEARTBEAT_MS },
      client: { reconnectAfterInactivityMs: 3 * HEARTBEAT_MS },
    },
    errorFormatter: ({ error, shape, ctx }) => {
      const { body, status } = publicError(error, ctx?.requestId);
      return { ...shape, message: body.detail, data: { code: shape.data.code, httpStatus: status, error: body } };
    },
  });

/** Gives every refusal its tRPC code, so that tRPC sends the status of the error catalogue and not always 500. */
const translated = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(result.error);
});

export const { router } = t;

/** What admission adds to the context of a procedure with a session. */
interface Admitted<Kind extends Actor = Actor> {
  readonly actor: Kind;
  readonly by: ReturnType<typeof initiatorOf>;
  readonly caller: ReturnType<typeof callerBy>;
}

/** The middlewares of both kinds of procedure below; REST runs `admit` and reads errors as they are thrown. */
export const STEPS_OF_ADMISSION = 2;

/**
 * Checks session and limit, runs the rest of a procedure, and settles the limit.
 *
 * @param run gets a function that reads what admission adds to its context. It calls that once the input has arrived, because
 * the caller may have changed meanwhile.
 * @throws AppError `session_missing`, `rate_limited`; what `run` throws
 */
export async function admitted<T>(
  ctx: RequestContext,
  meta: RouteMeta,
  run: (added: () => Promise<Admitted | Record<never, never>>) => Promise<T>,
): Promise<T> {
  const { settle } = await ctx.admit(meta);
  const added = async () => (meta.session === true ? admittedAs(await ctx.actorNow()) : {});
  if (settle === null) return await run(added);
  let succeeded = false;
  try {
    const output = await run(added);
    succeeded = true;
    return output;
  } finally {
    await settle(succeeded);
  }
}

function admittedAs(actor: Actor | null): Admitted {
  if (actor === null) throw new Error('Admission let a caller without a session through.');
  return { actor, by: initiatorOf(actor), caller: callerBy(actor) };
}

/** A procedure that needs no session. Its limit, if it has one, counts addresses. */
export const publicProcedure = t.procedure
  .meta({ session: false })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    const { settle } = await ctx.admit(meta ?? {});
    const result = await next();
    await settle?.(result.ok);
    return result;
  });

/**
 * A procedure for users in a session: what acts on the account itself, or sets budgets. No API token may call it.
 * Session and limit are checked before the input is parsed. Commands take `by`, so every write carries its audit entry.
 */
export const userProcedure = t.procedure
  .meta({ session: true })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    const { actor, settle } = await ctx.admit({ ...meta, session: true });
    const result = await next({ ctx: inSession(admittedAs(actor)) });
    await settle?.(result.ok);
    return result;
  });

/**
 * A procedure for users, in a session or by an API token that has this scope. Within the repositories the limits of `caller`
 * count.
 *
 * @param reach `account`: not by a token that is limited to one repository
 */
export function scopedProcedure(scope: TokenScope, reach: 'repo' | 'account' = 'repo') {
  const token = { scope, reach };
  return t.procedure
    .meta({ session: true, token })
    .use(translated)
    .use(async ({ ctx, meta, next }) => {
      const { actor, settle } = await ctx.admit({ ...meta, session: true, token });
      const result = await next({ ctx: admittedAs(actor) });
      await settle?.(result.ok);
      return result;
    });
}

function inSession(admitted: Admitted): Admitted<SessionActor> {
  const { actor } = admitted;
  if (actor.session === null) throw new Error('Admission let an API token through to where a session is needed.');
  return { ...admitted, actor };
}
