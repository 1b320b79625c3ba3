import { type Caller, callerOf, type Initiator, type Session, type SessionStore, type User } from '@sluice/core';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionTokens } from './session-tokens.ts';

/** The caller: a live session and its user. */
export interface Actor {
  readonly user: User;
  readonly session: Session;
}

/**
 * Finds the live session that a `Cookie` header names, or null. The store is asked every time, so that a revoked session
 * ends at once, and the use is recorded. Only the cookie counts: an `Authorization` header is never a session.
 */
export async function findActor(
  deps: {
    readonly tokens: SessionTokens;
    readonly sessions: Pick<SessionStore, 'find'>;
    readonly noteSeen: (session: Session) => Promise<void>;
  },
  cookieHeader: string | undefined,
): Promise<Actor | null> {
  const token = readSessionCookie(cookieHeader);
  const named = token === null ? null : await deps.tokens.verify(token);
  if (named === null) return null;
  const found = await deps.sessions.find(named.sessionId);
  if (found === null || found.user.id !== named.userId) return null;
  await deps.noteSeen(found.session);
  return found;
}

/** The logged-in user as the caller whose roles count. */
export function callerBy({ user }: Actor): Caller {
  return callerOf(user.id);
}

/** The logged-in user as the initiator of commands, for their audit entries. */
export function initiatorOf({ user, session }: Actor): Initiator {
  return { userId: user.id, actor: { kind: 'user', sessionId: session.id } };
}
