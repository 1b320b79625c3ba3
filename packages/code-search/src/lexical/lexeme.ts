import { stemmer } from 'stemmer';

const WORD = /[\p{L}\p{N}\p{Co}\p{M}_]+/gu;
const MARKS = /\p{M}/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** No question asks for a longer one. */
const MAX_WORD_LENGTH = 64;
const MIN_STEMMED = 3;

/** A word as it stands in a text, as it is looked up. */
export interface Lexemes {
  /** What FTS5 makes of it with `porter unicode61 remove_diacritics 2`. */
  readonly parts: readonly string[];
  /** `parse_config_file` as a whole, which its parts alone would not tell from the same words elsewhere. Null when it is one part. */
  readonly whole: string | null;
}

/** Looks words up, and remembers what it found: code says the same words again and again. */
export function createLexer(): (text: string) => Iterable<Lexemes> {
  const known = new Map<string, Lexemes>();
  return function* read(text) {
    for (const word of text.match(WORD) ?? []) {
      let lexemes = known.get(word);
      if (lexemes === undefined) {
        lexemes = lexemesOf(word);
        known.set(word, lexemes);
      }
      yield lexemes;
    }
  };
}

/** The lexeme that one word of a question is looked up as. Null when nothing is left of it. */
export function soughtLexeme(word: string): string | null {
  const { parts, whole } = lexemesOf(word);
  return whole ?? parts[0] ?? null;
}

function lexemesOf(word: string): Lexemes {
  const parts = folded(word)
    .split('_')
    .filter((part) => part !== '');
  const whole = parts.length > 1 ? parts.join('_') : null;
  return { parts: parts.map(stemmed), whole };
}

function folded(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) ? lower.normalize('NFD').replace(MARKS, '').normalize('NFC') : lower;
}

function stemmed(word: string): string {
  return word.length < MIN_STEMMED || word.length > MAX_WORD_LENGTH ? word : stemmer(word);
}
