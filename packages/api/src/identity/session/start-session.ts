import type { NewSession, ProviderSession, SessionStore, User } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import type { SessionId } from '@sluice/core/id';
import type { ApiDeps, ApiOptions } from '../../service/api-deps.ts';
import { type Actor, initiatorOf, type SessionActor } from './actor.ts';
import { clientName } from './client-name.ts';
import { sessionCookie } from './session-cookie.ts';
import { idleEnd } from './session-idleness.ts';
import type { SessionTokens } from './session-tokens.ts';

/**
 * How users have just proved their identity; for a password, the hash that it was compared with, and the second factor that
 * completed the login, if the account has any.
 */
export type Proof =
  | { readonly by: 'password'; readonly hash: string; readonly secondFactor?: NewSession['secondFactor'] }
  | { readonly by: 'codehost' }
  | { readonly by: 'oidc'; readonly provider: ProviderSession };

interface SessionContext extends Pick<ApiDeps, 'clock' | 'ids' | 'signals'> {
  readonly sessions: Pick<SessionStore, 'create' | 'revoke'>;
  readonly options: ApiOptions;
  readonly tokens: SessionTokens;
  readonly head: { readonly userAgent: string | undefined; actor(): Promise<Actor | null> };
  appendHeader(name: string, value: string): void;
}

/**
 * Opens a session for a user and sets its cookie on the answer. The session whose cookie that replaces ends: no client has it
 * any more, except one that should not.
 *
 * @throws AppError `bad_credentials` when the password was changed, a second factor enrolled or the user disabled meanwhile;
 * `second_factor_challenge_invalid` when that happened to a login with a second factor, or another one used it up;
 * `account_disabled`
 */
export async function startSession(ctx: SessionContext, user: User, proof: Proof): Promise<void> {
  const { by } = proof;
  const before = await ctx.head.actor();
  const secondFactor = proof.by === 'password' ? proof.secondFactor : undefined;
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
      ...(proof.by === 'password' && {
        ifPasswordHash: proof.hash,
        secondFactor,
        mustEnroll: ctx.options.secondFactor === 'required' && secondFactor === undefined,
      }),
      ...(proof.by === 'oidc' && { provider: proof.provider }),
    },
    {
      userId: user.id,
      actor: { kind: 'user', sessionId: id },
      act: { action: 'session.opened', subjectId: id, detail: { by, client, second_factor: secondFactor?.use.kind } },
    },
  );
  if (session === null) {
    if (secondFactor !== undefined) throw new AppError('second_factor_challenge_invalid');
    throw new AppError(by === 'password' ? 'bad_credentials' : 'account_disabled');
  }
  if (before !== null && before.session !== null) await endSession(ctx, before);
  ctx.appendHeader('Set-Cookie', sessionCookie(ctx.options, await ctx.tokens.sign(session)));
}

async function endSession({ sessions, signals }: SessionContext, actor: SessionActor): Promise<void> {
  const { id } = actor.session;
  await sessions.revoke(id, auditEntry(initiatorOf(actor), { action: 'session.closed', subjectId: id, detail: {} }));
  signals.sessionEnded(id);
}
