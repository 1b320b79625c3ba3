import { stemmer } from 'stemmer';

const WORD = /[\p{L}\p{N}\p{Co}\p{M}_]+/gu;
const MARKS = /\p{M}/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** No question asks for a longer one. */
const LONGEST_WORD = 64;
const SHORTEST_STEMMED = 3;

/** The words of a text as they are looked up, in their order: what FTS5 makes of it with `porter unicode61 remove_diacritics 2`. */
export function lexemes(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap(partsOf).map(stemmed);
}

/** `parse_config_file` as a whole, which its parts alone would not tell from the same words elsewhere. */
export function wholeNames(text: string): string[] {
  return (text.match(WORD) ?? [])
    .filter((word) => word.includes('_'))
    .map(partsOf)
    .filter((parts) => parts.length > 1)
    .map(whole)
    .filter((name) => name.length <= LONGEST_WORD);
}

/** What one word of a question is looked up as. Null when nothing is left of it. */
export function lexemeOf(word: string): string | null {
  const parts = (word.match(WORD) ?? []).flatMap(partsOf);
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 ? stemmed(only) : whole(parts);
}

function partsOf(word: string): string[] {
  return folded(word)
    .split('_')
    .filter((part) => part !== '');
}

function whole(parts: readonly string[]): string {
  return parts.join('_');
}

function folded(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) ? lower.normalize('NFD').replace(MARKS, '').normalize('NFC') : lower;
}

function stemmed(word: string): string {
  return word.length < SHORTEST_STEMMED || word.length > LONGEST_WORD ? word : stemmer(word);
}
