import type { CodeSymbol } from '@sluice/core/code-search';
import type { CodeChunk } from './code-chunk.ts';
import { lineWindows, textLines } from './line-windows.ts';
import { symbolChunks } from './symbol-chunks.ts';
import { fileSymbols } from './syntax/file-symbols.ts';
import { languageOf, MAX_FILE_BYTES } from './syntax/language.ts';
import type { SyntaxParser } from './syntax/syntax-parser.ts';

/**
 * The chunks of a file: its symbols, or windows of lines where its language is not known, its tree cannot be had or
 * there is no parser. None of a file that is binary, minified or too large.
 */
export async function chunkFile(
  parser: SyntaxParser | null,
  file: { path: string; content: Uint8Array },
): Promise<CodeChunk[]> {
  const text = readableText(file.content);
  if (text === null) return [];
  const symbols = parser && (await outlineFile(parser, { path: file.path, text }));
  const lines = textLines(text);
  return symbols === null || symbols.length === 0
    ? lineWindows({ startLine: 1, lines, symbol: null, names: '' })
    : symbolChunks(lines, symbols);
}

/** The symbols of a file, in order; null where its language is not known or its tree cannot be had. */
export async function outlineFile(
  parser: SyntaxParser,
  file: { path: string; text: string },
): Promise<CodeSymbol[] | null> {
  const language = languageOf(file.path);
  if (language === null) return null;
  const source = { language, text: file.text };
  return parser.read(source, (root) => fileSymbols(root, source));
}

const SNIFFED_BYTES = 8_000; // as far as git looks for a NUL
const MAX_LINE_LENGTH = 10_000;
const MAX_MEAN_LINE_LENGTH = 500; // prose with one paragraph a line stays well below

/** The text of a file worth indexing, or null for what is binary, minified or too large. */
function readableText(content: Uint8Array): string | null {
  if (content.length > MAX_FILE_BYTES || content.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  const text = new TextDecoder().decode(content);
  const lines = text.split('\n');
  if (text.length / lines.length > MAX_MEAN_LINE_LENGTH) return null;
  return lines.some((line) => line.length > MAX_LINE_LENGTH) ? null : text;
}
