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

/** More sessions than one process has at work; each is a few hundred bytes. */
const MAX_REMEMBERED = 1_000;

interface Verified {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** In seconds, as the token has them. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export function createSessionTokens({ clock }: { clock: Clock }, secret: Uint8Array): SessionTokens {
  if (secret.byteLength < MIN_SECRET_BYTES) throw new Error(`sessionSecret needs at least ${MIN_SECRET_BYTES} bytes.`);
  // Imported once: verifying with raw bytes imports them again each time and takes twice as long.
  const key = crypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  // A signature that was good stays good, and looking at it costs as much as all else that a session needs: so it is
  // looked at once. The times are looked at always.
  const remembered = new Map<string, Verified>();

  async function read(token: string, now: Date): Promise<Verified | null> {
    try {
      const { payload } = await jwtVerify(token, await key, {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: now,
      });
      const { sub, sid, iat = 0, exp = 0 } = payload;
      if (typeof sub !== 'string' || typeof sid !== 'string') return null;
      return { userId: sub as UserId, sessionId: sid as SessionId, issuedAt: iat, expiresAt: exp };
    } catch {
      return null; // whatever is wrong with a stranger's token, it is no session
    }
  }

  function remember(token: string, verified: Verified): void {
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, verified);
  }

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
      const now = clock.now();
      const known = remembered.get(token);
      const verified = known ?? (await read(token, now));
      if (verified === null) return null;
      if (known === undefined) remember(token, verified);
      const { userId, sessionId, issuedAt, expiresAt } = verified;
      const seconds = now.getTime() / 1_000;
      // The library looks at the time of issue only where a greatest age is set.
      if (issuedAt > seconds + CLOCK_SKEW_S || expiresAt <= Math.floor(seconds)) return null;
      return { userId, sessionId };
    },
  };
}
