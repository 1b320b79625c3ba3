import { MAX_FILE_BYTES } from './syntax/language.ts';

const SNIFFED_BYTES = 8_000; // as far as git looks for a NUL
const LONGEST_LINE = 10_000;
const LONGEST_MEAN_LINE = 500; // prose with one paragraph a line stays well below

/** The text of a file worth indexing, or null for what is binary, minified or too large. */
export function readableText(content: Uint8Array): string | null {
  if (content.length > MAX_FILE_BYTES || content.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  const text = new TextDecoder().decode(content);
  const lines = text.split('\n');
  if (text.length / lines.length > LONGEST_MEAN_LINE) return null;
  return lines.some((line) => line.length > LONGEST_LINE) ? null : text;
}
