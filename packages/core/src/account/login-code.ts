const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's: no two look alike
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 12; // 60 bits: finding a verifier with the same code takes far longer than ten minutes
const GROUP = 4;

/**
 * The code that a program shows in its terminal, and the browser shows on its page, during a login by the browser. Users
 * who compare the two admit only their own program. Derived from the program's challenge, the base64url of a hash.
 */
export function loginCodeOf(challenge: string): string {
  const digits = [...challenge.slice(0, LENGTH)].map((one) => DIGITS[BASE64URL.indexOf(one) >> 1] ?? '').join('');
  return Array.from({ length: LENGTH / GROUP }, (_, n) => digits.slice(n * GROUP, (n + 1) * GROUP)).join('-');
}
