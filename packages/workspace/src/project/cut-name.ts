import { createHash } from 'node:crypto';

/** What a name may take in a list and in a prompt. */
const LONGEST_NAME = 300;

/** At most `length` characters. What is cut off is told apart by a fingerprint of the whole at the end. */
export function cutName(text: string, length = LONGEST_NAME): string {
  return text.length <= length ? text : `${text.slice(0, length - 12)}… (${fingerprint(text)})`;
}

/** Eight hexadecimal digits that differ where the text does. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
