import { AppError, type SessionId, type SessionStore, type User } from '@sluice/core';
import type { ApiDeps, ApiOptions } from '../service/api-deps.ts';
import { clientName } from './client-name.ts';
import { sessionCookie } from './session-cookie.ts';
import { idleEnd } from './session-idleness.ts';
import type { SessionTokens } from './session-tokens.ts';

/** How users have just proved their identity; for a password, the hash that it was compared with. */
export type Proof = { readonly by: 'password'; readonly hash: string } | { readonly by: 'codehost' };

interface SessionContext extends Pick<ApiDeps, 'clock' | 'ids'> {
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly options: ApiOptions;
  readonly tokens: SessionTokens;
  readonly head: { readonly userAgent: string | undefined };
  appendHeader(name: string, value: string): void;
}

/**
 * Opens a session for a user and sets its cookie on the answer.
 *
 * @throws AppError `bad_credentials` when the password was changed or the user disabled meanwhile; `account_disabled`
 */
export async function startSession(ctx: SessionContext, user: User, proof: Proof): Promise<void> {
  const { by } = proof;
  const now = ctx.clock.now();
  const id = ctx.ids.next() as SessionId;
  const client = clientName(ctx.head.userAgent);
  const session = await ctx.sessions.create(
    {
      id,
      userId: user.id,
      expiresAt: new Date(now.getTime() + ctx.options.sessionTtlMs),
      idleEndsAt: idleEnd(ctx.options, now),
      client,
      ...(by === 'password' && { ifPasswordHash: proof.hash }),
    },
    {
      userId: user.id,
      actor: { kind: 'user', sessionId: id },
      act: { action: 'session.opened', subjectId: id, detail: { by, client } },
    },
  );
  if (session === null) throw new AppError(by === 'password' ? 'bad_credentials' : 'account_disabled');
  ctx.appendHeader('Set-Cookie', sessionCookie(ctx.options, await ctx.tokens.sign(session)));
}
