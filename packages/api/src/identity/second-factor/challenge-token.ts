import { createHash, randomBytes } from 'node:crypto';

/** Names a login or an enrollment that waits for its second step. Only its hash is stored. */
export function newChallengeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The token has 256 random bits, so that a fast hash is enough. */
export function challengeHashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Binds a challenge to the password that was checked, without a second copy of its hash in the database. */
export function passwordDigestOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url');
}
