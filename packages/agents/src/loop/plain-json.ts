/**
 * A copy as JSON keeps it, without NUL and lone surrogates in any string: Postgres refuses both in JSON, and a model's
 * answer or a command's output can hold either.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [plainText(key), plainJson(member)]));
}

/** Text without NUL; lone surrogates become U+FFFD. */
export function plainText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
