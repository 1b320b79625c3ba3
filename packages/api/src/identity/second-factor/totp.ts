import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// What every authenticator app can do; many ignore other values and show wrong codes (RFC 6238, SHA-1).
const PERIOD_S = 30;
const DIGITS = 6;
/** Steps before and after the current one whose codes are taken: clocks of phones differ by some seconds. */
const WINDOW = 1;
const SECRET_BYTES = 20; // the length of the hash, RFC 4226 4

/**
 * The secret of an enrollment that has not been confirmed. It is derived from the token that only its user has, so that
 * nothing needs to be stored until a code has shown that their app knows it.
 */
export function secretOfEnrollment(sessionSecret: Uint8Array, token: string): string {
  const bytes = createHmac('sha256', sessionSecret)
    .update(`totp enrollment:${token}`)
    .digest()
    .subarray(0, SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function otpauthUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/**
 * The step whose code this is, within the window around `now` and after `lastStep`; null if there is none. Each step is taken
 * once, so a code that was seen by somebody else is worthless after its use.
 */
export function matchingStep(
  secret: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const current = Math.floor(now.getTime() / (PERIOD_S * 1_000));
  const totp = totpOf(secret);
  let found: number | null = null;
  // Every step is compared, so that the time does not tell which one matched.
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1) {
    const delta = totp.validate({ token, timestamp: step * PERIOD_S * 1_000, window: 0 });
    if (delta !== null && step > lastStep) found ??= step;
  }
  return found;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Sluice',
    label,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });
}
