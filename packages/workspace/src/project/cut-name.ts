import { createHash } from 'node:crypto';

/** The longest name in a list or a prompt. */
const MAX_NAME_LENGTH = 300;

/** Cuts a name to `length` characters. A fingerprint of the whole at the end keeps cut names distinct. */
export function cutName(text: string, length = MAX_NAME_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, length - 12)}… (${fingerprint(text)})`;
}

/** Eight hexadecimal digits that differ where the text does. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
