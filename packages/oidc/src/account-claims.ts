import { AppError } from '@sluice/core/error';
import type { OidcAccount } from '@sluice/core/oidc';

type Claims = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255; // OpenID Connect Core 2
const MAX_EMAIL = 254;
const MAX_NAME = 100;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/**
 * The account that the claims are about. An e-mail counts only where the provider says that it has verified it.
 *
 * @throws AppError `oidc_token_invalid` without a usable subject
 */
export function accountOf(claims: Claims, issuer: string): OidcAccount {
  const { sub, email, email_verified: isVerified } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) {
    throw new AppError('oidc_token_invalid', { detail: 'The ID token names no usable subject.' });
  }
  const isUsable = isVerified === true && typeof email === 'string' && email.length <= MAX_EMAIL && EMAIL.test(email);
  return { issuer, subject: sub, email: isUsable ? email.toLowerCase() : null, name: nameOf(claims) };
}

function nameOf({ name, preferred_username: username }: Claims): string | null {
  for (const given of [name, username]) {
    if (typeof given !== 'string') continue;
    const line = given.replaceAll(/\p{Cc}+/gu, ' ').trim();
    if (line !== '') return [...line].slice(0, MAX_NAME).join('');
  }
  return null;
}

/** The groups in a claim: a list of names, or one name. */
export function groupsOf(claim: unknown): string[] {
  const given = Array.isArray(claim) ? claim : [claim];
  return given.filter((group): group is string => typeof group === 'string' && group !== '');
}
