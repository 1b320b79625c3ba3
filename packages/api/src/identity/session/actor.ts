import { type Caller, callerOf } from '@sluice/core/access';
import type { Session, SessionStore, User } from '@sluice/core/account';
import { type ApiToken, limitsOf } from '@sluice/core/api-token';
import type { Initiator } from '@sluice/core/audit';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionTokens } from './session-tokens.ts';

/** A user in a live session. */
export interface SessionActor {
  readonly user: User;
  readonly session: Session;
  readonly token?: null;
}

/** A user by one of their API tokens. */
export interface TokenActor {
  readonly user: User;
  readonly session: null;
  readonly token: ApiToken;
}

/** The caller. */
export type Actor = SessionActor | TokenActor;

/**
 * Finds the live session that a `Cookie` header names, or null. The store is asked every time, so that a revoked session
 * ends at once, and the use is recorded. Only the cookie counts: an `Authorization` header never names a session.
 */
export async function findActor(
  deps: {
    readonly tokens: SessionTokens;
    readonly sessions: Pick<SessionStore, 'find'>;
    readonly noteSeen: (session: Session) => Promise<void>;
  },
  cookieHeader: string | undefined,
): Promise<SessionActor | null> {
  const token = readSessionCookie(cookieHeader);
  const named = token === null ? null : await deps.tokens.verify(token);
  if (named === null) return null;
  const found = await deps.sessions.find(named.sessionId);
  if (found === null || found.user.id !== named.userId) return null;
  await deps.noteSeen(found.session);
  return found;
}

/** The user as the caller whose roles count, within the limits of their token. */
export function callerBy({ user, token }: Actor): Caller {
  return token ? { userId: user.id, limits: limitsOf(token) } : callerOf(user.id);
}

/** The user as the initiator of commands, for their audit entries. */
export function initiatorOf({ user, session, token }: Actor): Initiator {
  const actor = { kind: 'user', sessionId: session?.id ?? null } as const;
  return { userId: user.id, actor: token ? { ...actor, tokenId: token.id } : actor };
}
