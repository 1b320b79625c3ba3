import { storableJson } from '@sluice/core/text';

/**
 * JSON as it is stored. Postgres refuses what SQLite accepts (NUL, and lone surrogates, into which stream chunks can split
 * pairs), so both engines get the same cleaned strings and keys.
 */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes NUL and lone surrogates as escapes, and nothing else as these: the usual value is written once.
  return /\\u(0000|d[89a-f])/i.test(text) ? JSON.stringify(storableJson(JSON.parse(text))) : text;
}
