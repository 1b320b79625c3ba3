import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's: no two look alike
const LENGTH = 16; // 80 bits: cannot be guessed, so that a fast hash is enough
const GROUP = 4;

/** New recovery codes, such as `7K3M-Q2XD-9FHA-B4TE`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = [...randomBytes(LENGTH)].map((byte) => DIGITS[byte % DIGITS.length]).join('');
    return Array.from({ length: LENGTH / GROUP }, (_, n) => digits.slice(n * GROUP, (n + 1) * GROUP)).join('-');
  });
}

/** The stored form of a code, in whatever case and grouping it was typed. */
export function recoveryCodeHash(userId: UserId, code: string): string {
  const digits = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return createHash('sha256').update(`${userId}:${digits}`).digest('base64url');
}
