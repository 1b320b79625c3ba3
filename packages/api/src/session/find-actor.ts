import type { SessionStore } from '@sluice/core';
import type { Actor } from '../procedure/request-context.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionTokens } from './session-tokens.ts';

/**
 * The live session that a `Cookie` header names, with its user; null when there is none. Looked up every time, so a
 * revoked session ends at once. Nothing but the cookie is looked at: an `Authorization` header is never a session.
 */
export async function findActor(
  { tokens, sessions }: { tokens: SessionTokens; sessions: SessionStore },
  cookieHeader: string | undefined,
): Promise<Actor | null> {
  const token = readSessionCookie(cookieHeader);
  const named = token === null ? null : await tokens.verify(token);
  if (named === null) return null;
  const found = await sessions.find(named.sessionId);
  return found !== null && found.user.id === named.userId ? found : null;
}
