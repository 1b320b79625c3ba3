/**
 * Postgres refuses what SQLite accepts: NUL anywhere, and lone surrogates in JSON (stream chunks can split pairs). Both
 * engines get the same cleaned text: NUL is dropped, a lone surrogate becomes U+FFFD.
 */
export function storedText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** JSON as it is stored, cleaned in every string and key. */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes NUL and lone surrogates as escapes, and nothing else as these: the usual value is written once.
  return /\\u(0000|d[89a-f])/i.test(text) ? JSON.stringify(cleaned(JSON.parse(text))) : text;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storedText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storedText(key), cleaned(member)]));
}
