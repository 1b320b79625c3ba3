/**
 * Text that both databases can store: no NUL, which Postgres refuses, and no lone surrogate, which comes back as
 * another character.
 *
 * @param nul takes the place of each NUL; a replacement character keeps positions in the text
 */
export function storableText(text: string, nul: '' | '\u{FFFD}' = ''): string {
  return text.replaceAll('\0', nul).toWellFormed();
}

/** A copy as JSON keeps it, with storable text in every string and key. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [storableText(key), storableJson(member)]));
}

/**
 * The same text for equal values, on both databases: keys sorted, text as it is stored, instants in UTC, bytes in base64,
 * members without a value left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(storableText(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => [storableText(key), member] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
