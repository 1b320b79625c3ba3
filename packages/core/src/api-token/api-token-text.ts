import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'slc_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43; // the least that hold 256 bits in base 62
const CHECK_DIGITS = 6; // the least that hold 32 bits
const HINT_CHARACTERS = 4;
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/**
 * The text of an API token: `slc_`, the secret and the CRC-32 of the secret in base 62. By the checksum a scanner that searches
 * published code finds tokens and nothing else.
 *
 * @param secret 32 random bytes
 */
export function renderApiToken(secret: Uint8Array): string {
  if (secret.byteLength !== SECRET_BYTES) throw new Error(`The secret of an API token has ${SECRET_BYTES} bytes.`);
  const digits = inBase62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), SECRET_DIGITS);
  return `${PREFIX}${digits}${checksumOf(digits)}`;
}

/** Whether a text begins as API tokens do, and so is read as one. */
export function hasTokenPrefix(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Whether a text can be an API token: its form and its checksum are right. */
export function isApiToken(text: string): boolean {
  const [, digits = '', check] = SHAPE.exec(text) ?? [];
  return check !== undefined && checksumOf(digits) === check;
}

/**
 * The hash under which a token is stored and found. A slow hash would protect no better: 256 random bits cannot be
 * guessed.
 */
export function hashApiToken(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The last characters of a token. */
export function hintOf(text: string): string {
  return text.slice(-HINT_CHARACTERS);
}

function checksumOf(digits: string): string {
  return inBase62(BigInt(crc32(digits)), CHECK_DIGITS);
}

function inBase62(value: bigint, length: number): string {
  let digits = '';
  for (let left = value; digits.length < length; left /= 62n) digits = `${DIGITS[Number(left % 62n)]}${digits}`;
  return digits;
}
