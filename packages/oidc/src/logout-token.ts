import { AppError } from '@sluice/core/error';
import type { OidcLogout } from '@sluice/core/oidc';
import { type JWTPayload, errors as joseErrors } from 'jose';
import { appErrorIn } from './oidc-failure.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_AGE_S = 120; // the specification recommends at most two minutes
const CLOCK_SKEW_S = 30;
const KEPT_MS = (MAX_AGE_S + 2 * CLOCK_SKEW_S) * 1_000;
const MAX_LENGTH = 255;

interface Reading {
  verify(token: string): Promise<JWTPayload>;
  readonly now: Date;
}

/**
 * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Signature, issuer and audience are checked by `verify`.
 *
 * @throws AppError `oidc_logout_token_invalid`
 */
export async function readLogoutToken(token: string, { verify, now }: Reading): Promise<Omit<OidcLogout, 'issuer'>> {
  const { iat, jti, events, nonce, sub = null, sid = null } = await verify(token);
  const nowS = now.getTime() / 1_000;
  if (iat === undefined || iat < nowS - MAX_AGE_S - CLOCK_SKEW_S || iat > nowS + CLOCK_SKEW_S) {
    throw invalid('was not issued within the last two minutes');
  }
  if (!isName(jti)) throw invalid('has no jti');
  if (!isObject(events) || !isObject(events[EVENT])) throw invalid('is about another event');
  if (nonce !== undefined) throw invalid('has a nonce, as only ID tokens have');
  if (sub === null && sid === null) throw invalid('names neither an account nor a session');
  if (!(sub === null || isName(sub)) || !(sid === null || isName(sid))) throw invalid('names no account or session');
  return { subject: sub, sid, tokenId: jti, expiresAt: new Date(now.getTime() + KEPT_MS) };
}

/** Maps a failed reading to an error of Sluice. */
export function logoutFailure(thrown: unknown): unknown {
  const own = appErrorIn(thrown);
  if (own !== null) return own;
  if (!(thrown instanceof joseErrors.JOSEError)) return thrown;
  return new AppError('oidc_logout_token_invalid', {}, { cause: new Error(`${thrown.name}: ${thrown.message}`) });
}

function invalid(why: string): AppError {
  return new AppError('oidc_logout_token_invalid', { detail: `The logout token ${why}.` });
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
