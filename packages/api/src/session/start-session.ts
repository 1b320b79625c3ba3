import type { SessionId, User } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { sessionCookie } from './session-cookie.ts';

/** Opens a session for a user who has just proved who he is, and puts its cookie on the answer. */
export async function startSession(ctx: RequestContext, user: User): Promise<void> {
  const session = await ctx.sessions.create({
    id: ctx.ids.next() as SessionId,
    userId: user.id,
    expiresAt: new Date(ctx.clock.now().getTime() + ctx.options.sessionTtlMs),
  });
  ctx.appendHeader('Set-Cookie', sessionCookie(ctx.options, await ctx.tokens.sign(session)));
}
