import { initTRPC } from '@trpc/server';
import { publicError } from '../error/public-error.ts';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { HEARTBEAT_MS } from '../feed/heartbeat.ts';
import { initiatorOf } from '../session/actor.ts';
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

/** A procedure that needs no session. Its limit, if it has one, counts addresses. */
export const publicProcedure = t.procedure
  .meta({ session: false })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    await ctx.admit(meta ?? {});
    return next();
  });

/**
 * A procedure for logged-in users. Session and limit are checked before the input is parsed. Commands take `by`, so every
 * write carries its audit entry.
 */
export const userProcedure = t.procedure
  .meta({ session: true })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    const actor = await ctx.admit({ ...meta, session: true });
    if (actor === null) throw new Error('Admission let a caller without a session through.');
    return next({ ctx: { actor, by: initiatorOf(actor) } });
  });
