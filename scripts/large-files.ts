import { isUtf8 } from 'node:buffer';

/** The largest tracked text that people write has 70 kB, and the longest 1,100 lines. */
const MAX_BYTES = 120_000;
const MAX_LINES = 2_000;

/** Files that are as large as what they are about. */
const excused: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm writes it, and installs from it alone',
  'docs/openapi.json': 'people fetch it; docs/signatures.md is what is reviewed',
};

/** The fault of a tracked file that is too large; null when there is none. Pictures and archives may have any size. */
export function faultOfSize(path: string, content: Buffer): string | null {
  if (Object.hasOwn(excused, path) || content.includes(0) || !isUtf8(content)) return null;
  const lines = content.toString().split('\n').length - 1;
  if (content.length <= MAX_BYTES && lines <= MAX_LINES) return null;
  return `has ${lines} lines and ${content.length} bytes, more than a person reads (${MAX_LINES} lines, ${MAX_BYTES} bytes): cut it to what is used, compress it under fixtures/, or print it with a line for each thing`;
}
