const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's: no two look alike
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 12; // 60 bits: who has read it somewhere finds no verifier in ten minutes whose code it is too
const GROUP = 4;

/**
 * What a program that logs in by the browser shows in its terminal, and the page in the browser shows too: a person who
 * compares them lets no program in but his own. Made of the program's challenge, which is base64url of a hash.
 */
export function loginCodeOf(challenge: string): string {
  const digits = [...challenge.slice(0, LENGTH)].map((one) => DIGITS[BASE64URL.indexOf(one) >> 1] ?? '').join('');
  return Array.from({ length: LENGTH / GROUP }, (_, n) => digits.slice(n * GROUP, (n + 1) * GROUP)).join('-');
}
