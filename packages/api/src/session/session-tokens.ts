import type { Clock, Session, SessionId, UserId } from '@sluice/core';
import { jwtVerify, SignJWT } from 'jose';

const MIN_SECRET_BYTES = 32; // as long as the hash, RFC 7518 3.2
const MAX_TOKEN_LENGTH = 1_024;
const CLOCK_SKEW_S = 300; // between two processes of one service; more is a clock to be mended

/** Makes and reads the JWT of the session cookie: HS256, with the user, the session and its times. */
export interface SessionTokens {
  sign(session: Session): Promise<string>;
  /** What a token names, or null when it is not ours, expired or malformed. It does not say whether the session lives. */
  verify(token: string): Promise<{ userId: UserId; sessionId: SessionId } | null>;
}

export function createSessionTokens({ clock }: { clock: Clock }, secret: Uint8Array): SessionTokens {
  if (secret.byteLength < MIN_SECRET_BYTES) throw new Error(`sessionSecret needs at least ${MIN_SECRET_BYTES} bytes.`);
  // Imported once: verifying with raw bytes imports them again each time and takes twice as long.
  const key = crypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  return {
    sign: async (session) =>
      new SignJWT({ sid: session.id })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(session.userId)
        .setIssuedAt(session.createdAt)
        .setExpirationTime(session.expiresAt)
        .sign(await key),
    verify: async (token) => {
      if (token.length > MAX_TOKEN_LENGTH) return null;
      try {
        const now = clock.now();
        const { payload } = await jwtVerify(token, await key, {
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          currentDate: now,
        });
        // The library looks at the time of issue only where a greatest age is set.
        if ((payload.iat ?? 0) > now.getTime() / 1_000 + CLOCK_SKEW_S) return null;
        if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string') return null;
        return { userId: payload.sub as UserId, sessionId: payload.sid as SessionId };
      } catch {
        return null; // whatever is wrong with a stranger's token, it is no session
      }
    },
  };
}
