import { createHash } from 'node:crypto';

/** A strong validator of an answer's text. */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header names the tag (weakly, as RFC 9110 13.1.2 has it) or says `*`. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  const named = header?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return named.includes('*') || named.includes(tag);
}
