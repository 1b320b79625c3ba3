import type { Assertion } from './assertions.ts';
import type { ProgramText } from './program-text.ts';

/** Matchers that take a text for a part of another one, or for a regular expression. */
const PARTIAL =
  /\btoThrow\w*\(|\bmatch\w*\b|\bexpected\s*=|[cC]ontain|[iI]nclude|[sS]tarts_?[wW]ith|[eE]nds_?[wW]ith|[hH]as_?[pP]refix|Regexp?\b|\braise_error\b.*\/|=~/;
const TEXT =
  /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?<=[(,:=]\s*)\/((?:[^/\\\n]|\\.)+)\/[a-z]*/g;
const MOST_TEXTS = 20; // of one check

/**
 * Whether a check asks for less of a text than before: half of it or less, or anything. Not where the program gives that text
 * now.
 */
export function isTextShortened(from: Assertion, to: Assertion, program: ProgramText): boolean {
  const [had, has] = [textsIn(from.text), textsIn(to.text)];
  const lost = had.filter(({ text }) => !has.some((other) => other.text === text));
  const fresh = has.filter(({ text }) => !had.some((other) => other.text === text));
  const [shorter] = fresh;
  if (shorter === undefined || fresh.length > 1) return false;
  if (!shorter.isRegex && !PARTIAL.test(to.text)) return false;
  if (['"', "'", '`'].some((quote) => program.after.includes(`${quote}${shorter.text}${quote}`))) return false;
  const words = wordsOf(shorter.text);
  return lost.some(({ text }) => {
    const old = wordsOf(text);
    return old.includes(words) && words.length * 2 <= old.length;
  });
}

interface Text {
  readonly text: string;
  readonly isRegex: boolean;
}

function textsIn(code: string): Text[] {
  return Array.from(code.matchAll(TEXT).take(MOST_TEXTS), ([, double, single, back, regex]) => ({
    text: double ?? single ?? back ?? regex ?? '',
    isRegex: regex !== undefined,
  }));
}

/** Without the signs of a regular expression. */
function wordsOf(text: string): string {
  return text.replaceAll(/\\[a-zA-Z]|[^\p{L}\p{N} ]/gu, '').trim();
}
