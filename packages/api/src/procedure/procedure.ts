import { auditedStores } from '@sluice/core';
import { initTRPC } from '@trpc/server';
import { publicError } from '../error/public-error.ts';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { HEARTBEAT_MS } from '../feed/heartbeat.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteMeta } from './route-meta.ts';

const t = initTRPC
  .context<RequestContext>()
  .meta<RouteMeta>()
  .create({
    // Never by NODE_ENV: a stack must not leave the process because a variable was forgotten.
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

/** Gives every refusal its tRPC code, so that the status on the wire is the catalogue's and not always 500. */
const translated = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(result.error);
});

const { router, createCallerFactory } = t;

export { createCallerFactory, router };

/** A procedure that needs no session. Its limit, if it has one, goes by the client's address. */
export const publicProcedure = t.procedure
  .meta({ session: false })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    await ctx.admit(meta ?? {});
    return next();
  });

/**
 * A procedure of a logged-in user. Session and limit are checked before the input is looked at, and what it writes by the
 * stores that it is given stands in the audit log.
 */
export const userProcedure = t.procedure
  .meta({ session: true })
  .use(translated)
  .use(async ({ ctx, meta, next }) => {
    const actor = await ctx.admit({ ...meta, session: true });
    if (actor === null) throw new Error('A session was needed, and the admission gave none.');
    const by = { userId: actor.user.id, actor: { kind: 'user', sessionId: actor.session.id } } as const;
    return next({ ctx: { actor, ...auditedStores(ctx, by) } });
  });
