import type { TokenScope } from '@sluice/core/access';
import { initTRPC } from '@trpc/server';
import { publicError } from '../error/public-error.ts';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { HEARTBEAT_MS } from '../feed/heartbeat.ts';
import { type Actor, callerBy, initiatorOf, type SessionActor } from '../identity/session/actor.ts';
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

export const { router, mergeRouters } = t;

/** What admission adds to the context of a procedure with a session. */
interface Admitted<Kind extends Actor = Actor> {
  readonly actor: Kind;
  readonly by: ReturnType<typeof initiatorOf>;
  readonly caller: ReturnType<typeof callerBy>;
}

interface Call {
  readonly ctx: RequestContext;
  readonly meta: RouteMeta | undefined;
  readonly getRawInput: () => Promise<unknown>;
}

/**
 * The step before a procedure's own: checks session and limit, lets the input arrive, runs the rest, and settles the limit. A
 * refusal gets its tRPC code here, so that tRPC sends the status of the error catalogue and not always 500.
 *
 * @param needed the session or token of this kind of procedure, which the declaration of one cannot change
 * @param run called once the input has arrived: over REST its body is read only now. That may take a minute, so `run` asks
 * again who the caller is
 * @throws TRPCError for whatever is refused or fails
 */
async function admitted<Result extends { readonly ok: boolean }>(
  { ctx, meta = {}, getRawInput }: Call,
  needed: Pick<RouteMeta, 'session' | 'token'>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    const { settle } = await ctx.admit({ ...meta, ...needed });
    let succeeded = false;
    try {
      await getRawInput();
      const result = await run();
      if (isFailure(result)) throw result.error;
      succeeded = true;
      return result;
    } finally {
      await settle?.(succeeded);
    }
  } catch (thrown) {
    throw toTrpcError(thrown);
  }
}

/** tRPC's steps return what was thrown below them. */
function isFailure(result: { readonly ok: boolean }): result is { readonly ok: false; readonly error: unknown } {
  return !result.ok;
}

async function callerNow(ctx: RequestContext): Promise<Admitted> {
  const actor = await ctx.actorNow();
  return { actor, by: initiatorOf(actor), caller: callerBy(actor) };
}

/** A procedure that needs no session. Its limit, if it has one, counts addresses. */
export const publicProcedure = t.procedure
  .meta({ session: false })
  .use((call) => admitted(call, { session: false, token: undefined }, () => call.next()));

/**
 * A procedure for users in a session: what acts on the account itself, or sets budgets. No API token may call it.
 * Session and limit are checked before the input is parsed. Commands take `by`, so every write carries its audit entry.
 */
export const userProcedure = t.procedure
  .meta({ session: true })
  .use((call) =>
    admitted(call, { session: true, token: undefined }, async () =>
      call.next({ ctx: inSession(await callerNow(call.ctx)) }),
    ),
  );

/**
 * A procedure for users, in a session or by an API token that has this scope. Within the repositories the limits of `caller`
 * count.
 *
 * @param reach `account`: not by a token that is limited to one repository
 */
export function scopedProcedure(scope: TokenScope, reach: 'repo' | 'account' = 'repo') {
  const needed = { session: true, token: { scope, reach } };
  return t.procedure
    .meta(needed)
    .use((call) => admitted(call, needed, async () => call.next({ ctx: await callerNow(call.ctx) })));
}

function inSession(admitted: Admitted): Admitted<SessionActor> {
  const { actor } = admitted;
  if (actor.session === null) throw new Error('Admission let an API token through to where a session is needed.');
  return { ...admitted, actor };
}
