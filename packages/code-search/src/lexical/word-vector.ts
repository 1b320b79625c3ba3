import type { CodeChunk } from './code-chunk.ts';
import { createLexer } from './lexeme.ts';
import { splitIdentifiers, withInnerWords } from './split-identifier.ts';

/** The search terms of a chunk: its words, and the paths that it stands at. */
export interface WordSource extends Pick<CodeChunk, 'names' | 'text'> {
  readonly paths: string;
}

/** The words of a chunk, as Postgres keeps them. */
export interface WordVector {
  /** All words, the same one as often as it stands there. */
  readonly length: number;
  /** A `tsvector`. */
  readonly words: string;
}

/** How much a word counts where it stands: the same as on SQLite's side. */
const COLUMNS = { path: 4, name: 3, inner: 1, body: 1 };
/** Longer words are never asked for, and Postgres takes 2,046 bytes. */
const MAX_LEXEME_BYTES = 512;
/** A `tsvector` holds 1 MiB. Sixty lines of code need a hundredth. */
const MAX_BYTES = 900_000;
/** What Postgres keeps with each word. */
const ENTRY_BYTES = 12;

/**
 * Counts the words of chunks, in their order. A `tsvector` has no place for how often a word counts; it has one of four
 * labels for it, which is as much as BM25 needs to know: it hardly tells six times from sixty.
 *
 * @param mark stands in front of each word: a word of one repository is another than the same word of the next
 */
export function wordVectors(chunks: readonly WordSource[], mark: string): WordVector[] {
  const read = createLexer();
  return chunks.map(({ paths, names, text }) => {
    const counts = new Map<string, number>();
    let length = 0;
    const add = (column: string, weight: number) => {
      const count = (word: string) => counts.set(word, (counts.get(word) ?? 0) + weight);
      for (const { parts, whole } of read(column)) {
        length += parts.length;
        for (const part of parts) count(part);
        if (whole !== null) count(whole);
      }
    };
    add(withInnerWords(paths), COLUMNS.path);
    add(withInnerWords(names), COLUMNS.name);
    add(splitIdentifiers(text), COLUMNS.inner);
    add(text, COLUMNS.body);
    return { length, words: written(counts, mark) };
  });
}

function written(counts: ReadonlyMap<string, number>, mark: string): string {
  const entries: string[] = [];
  let bytes = 0;
  for (const [word, count] of counts) {
    const lexeme = mark + word;
    const size = Buffer.byteLength(lexeme);
    if (size > MAX_LEXEME_BYTES) continue;
    bytes += size + ENTRY_BYTES;
    if (bytes > MAX_BYTES) break;
    entries.push(`'${lexeme}':1${labelOf(count)}`);
  }
  return entries.join(' ');
}

/** The labels as `ts_rank` takes their weights, with the count that each stands for. */
export const LABELLED_COUNTS = [1, 2, 4, 9] as const;

function labelOf(count: number): 'A' | 'B' | 'C' | 'D' {
  if (count === 1) return 'D';
  if (count === 2) return 'C';
  return count <= 5 ? 'B' : 'A';
}

/** The prefix of a repository's words. Letters and digits: it needs no quoting. */
export function repoMark(repo: number): string {
  return `${repo.toString(36)}:`;
}
