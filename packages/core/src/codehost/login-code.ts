const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's: no two look alike
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 8; // 40 bits: nobody hits somebody else's by trying

/**
 * What a program that logs in by the browser shows in its terminal, and the page in the browser shows too: a person who
 * compares them lets no program in but his own. Made of the program's challenge, which is base64url of a hash.
 */
export function loginCodeOf(challenge: string): string {
  const digits = [...challenge.slice(0, LENGTH)].map((one) => DIGITS[BASE64URL.indexOf(one) >> 1] ?? '');
  return `${digits.slice(0, LENGTH / 2).join('')}-${digits.slice(LENGTH / 2).join('')}`;
}
