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
