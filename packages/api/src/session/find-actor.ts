import type { Session, SessionStore } from '@sluice/core';
import type { Actor } from '../procedure/request-context.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionTokens } from './session-tokens.ts';

/**
 * The live session that a `Cookie` header names, with its user; null when there is none. Looked up every time, so a
 * revoked session ends at once; found, it is in use. Nothing but the cookie is looked at: an `Authorization` header is never a session.
 */
export async function findActor(
  deps: { tokens: SessionTokens; sessions: SessionStore; noteSeen: (session: Session) => Promise<void> },
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
