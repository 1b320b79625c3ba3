import { createHash } from 'node:crypto';

/** A commit's name for a content: 40 hex digits, equal for equal content. */
export function digest(...parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('hex');
}
