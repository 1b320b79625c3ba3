import type { Session } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import type { SessionId, UserId } from '@sluice/core/id';
import { jwtVerify, SignJWT } from 'jose';

const MIN_SECRET_BYTES = 32; // the length of the hash, RFC 7518 3.2
const MAX_TOKEN_LENGTH = 1_024;
const MAX_REMEMBERED_TOKENS = 1_000;
const CLOCK_SKEW_S = 300; // between two processes of one service; a larger skew is a fault to fix

/** Signs and verifies the JWT of the session cookie: HS256, with the user, the session and its times. */
export interface SessionTokens {
  sign(session: Session): Promise<string>;
  /** The session that a token names, or null when it is foreign, expired or malformed. The session may have ended. */
  verify(token: string): Promise<{ userId: UserId; sessionId: SessionId } | null>;
}

/** A token whose signature and claims were found right. Its times are compared with the clock at each use. */
interface KnownToken {
  readonly named: { readonly userId: UserId; readonly sessionId: SessionId };
  readonly issuedAtS: number;
  readonly expiresAtS: number;
}

export function createSessionTokens({ clock }: { clock: Clock }, secret: Uint8Array): SessionTokens {
  if (secret.byteLength < MIN_SECRET_BYTES) throw new Error(`sessionSecret needs at least ${MIN_SECRET_BYTES} bytes.`);
  // Imported once: importing the raw bytes for each verification takes twice as long.
  const key = crypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  // A verification is a job of another thread, which takes longer than the rest of a short request.
  const known = new Map<string, KnownToken>();
  const remember = (token: string, verified: KnownToken) => {
    known.delete(token); // the latest use is the last one
    known.set(token, verified);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED_TOKENS && oldest !== undefined) known.delete(oldest);
  };
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
      const before = known.get(token);
      if (before !== undefined) {
        remember(token, before);
        return isCurrent(before, now) ? before.named : null;
      }
      try {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          currentDate: now,
        });
        const { sub, sid, iat = 0, exp = 0, nbf } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string') return null;
        const named = { userId: sub as UserId, sessionId: sid as SessionId };
        const verified = { named, issuedAtS: iat, expiresAtS: exp };
        if (!isCurrent(verified, now)) return null;
        if (nbf === undefined) remember(token, verified);
        return named;
      } catch {
        return null; // whatever is wrong with it, the token names no session
      }
    },
  };
}

function isCurrent({ issuedAtS, expiresAtS }: KnownToken, now: Date): boolean {
  const nowS = now.getTime() / 1_000;
  // The library checks the time of issue only where a maximum age is set.
  return Math.floor(nowS) < expiresAtS && issuedAtS <= nowS + CLOCK_SKEW_S;
}
