import { splitIdentifier } from './split-identifier.ts';

const MAX_QUERY_CHARS = 16_000;
const MAX_TERMS = 32;
const MAX_TERM_LENGTH = 64;

const STOP_WORDS = new Set(
  `a about above after again all also always am an and any are as at be because been before being below between both but by
  can cannot could did do does doing done down during each either else ever every few for from further get gets got had has
  have having he her here hers him his how however i if in instead into is it its itself just like make makes may me might
  more most must my neither never no nor not now of off on once one only or other our ours out over own per please rather
  same she should since so some still such than that the their theirs them then there these they thing things this those
  though through thus to too under until up upon us use used uses using very via want wants was we were what when where
  whether which while who whom whose why will with within without would yes yet you your yours
  fix fixes fixed fixing feat bug bugs issue issues`.split(/\s+/), // the last line is about work, not about code
);

/** The words of a question, best first, bounded: identifiers as they stand and the words inside them. */
export function queryTerms(question: string): string[] {
  const words = question.slice(0, MAX_QUERY_CHARS).match(/[\p{L}\p{N}_]+/gu) ?? [];
  // In a long issue the names out of the code tell more than the prose around them.
  const ranked = [...words.filter((word) => splitIdentifier(word).length > 0), ...words];
  const terms = new Set<string>();
  for (const word of ranked) {
    for (const term of [word.toLowerCase(), ...splitIdentifier(word)]) {
      if (terms.size === MAX_TERMS) return [...terms];
      if (isSignificant(term)) terms.add(term);
    }
  }
  return [...terms];
}

/**
 * An FTS5 expression that finds any of the words, or null when none is left to look for. Each term is made of
 * letters, digits and `_` only and stands in quotes, so nothing of FTS5's own syntax gets through.
 */
export function matchQuery(question: string): string | null {
  const terms = queryTerms(question);
  return terms.length === 0 ? null : terms.map((term) => `"${term}"`).join(' OR ');
}

function isSignificant(term: string): boolean {
  const letters = term.replaceAll('_', '');
  return letters.length > 1 && term.length <= MAX_TERM_LENGTH && !STOP_WORDS.has(term);
}
