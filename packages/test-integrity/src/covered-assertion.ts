import { type Assertion, isAssertionName } from './assertions.ts';
import { OF_CALLS } from './gone-doubles.ts';
import { EXPECTS_ERROR, type Judged, withValuesBehind } from './looser-assertion.ts';
import { isAlternative, partsThatMustHold, plainWords, wordsOfPart } from './lost-parts.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, shareIn, tokensOf } from './tokens.ts';
import { expectsRemoved, usesRemoved } from './uses-removed.ts';

/** Whether what an assertion said is said by the new ones together or by a function, or is about what is gone. */
export function isCovered(one: Assertion, { added, before, after, program }: Judged): boolean {
  const { code } = one;
  // Where a value stands in a list is said by its place in a list of all values.
  const [tokens, literals] = [tokensOf(code), literalsOf(code.replaceAll(/\[\d+\]/g, ''))];
  if (usesRemoved(withValuesBehind(code, before.code), program.removed)) return true;
  const called = namesOf(after.bare).difference(namesOf(before.bare));
  if (!called.isDisjointFrom(program.checkers)) return true;
  if (/\bassertLogs\(/.test(code) && /\bcaplog\b/.test(after.bare) && added.length > 0) return true;
  if (NO_ERROR.test(code) && AWAITS.test(after.bare) && !AWAITS.test(before.bare)) return true;
  if (added.length === 0) return false;
  if (isOfGoneDouble(one, { before, added, program }) || isSplit(one, added)) return true;
  // What was refused is allowed, and gives something.
  if (EXPECTS_ERROR.test(code) && !EXPECTS_ERROR.test(after.bare) && expectsRemoved(before.code, program.removed)) {
    return added.some((other) => other.rank >= one.rank && !other.isConstant);
  }
  const addedCode = added.map((other) => other.code).join('\n');
  if (/called_?times\(1\)/i.test(code) && /once/i.test(addedCode)) return true;
  if (literals.size > 0 && shareIn(literals, literalsOf(addedCode)) === 1) return true;
  if (literals.size > 0 && areWithin(literals, literalsOf(addedCode))) return true;
  if (added.some((other) => isImplied(one, other, before.code))) return true;
  const left = shareIn(literals, literalsOf(after.code));
  if (left === 1 && literals.size > 0 && shareIn(namesOf(code), namesOf(addedCode)) >= 0.5) return true;
  // Without a value to go by, half of the names is what two checks of the same object have.
  const names = new Set([...namesOf(code)].filter((name) => !OF_RUNNERS.test(name)));
  if (literals.size === 0 && shareIn(names, namesOf(addedCode)) > 0.5) return true;
  if (loops(after) <= loops(before)) return false;
  if (left >= MIN_COVERED_SHARE && shareIn(tokens, tokensOf(after.code)) >= 0.5) return true;
  return added.some(({ rank }) => rank >= one.rank) && isTabled(before, after);
}

/**
 * Whether a check that a double was called is gone together with the double: a check of the real result that is as
 * strict takes its place.
 */
export function isOfGoneDouble(
  { code, rank }: Assertion,
  { before, added, program }: Pick<Judged, 'before' | 'added' | 'program'>,
): boolean {
  if (!OF_CALLS.test(code) || !added.some((other) => !other.isConstant && other.rank >= rank)) return false;
  return !namesOf(code).isDisjointFrom(program.goneDoubles(before.path));
}

/** Whether a condition of several parts became a check of each: `if n != 3 || err != nil { … }` two of testify's. */
export function isSplit({ code, text }: Assertion, added: readonly Assertion[]): boolean {
  const parts = partsThatMustHold(code, text);
  const isBoolean = /^if\b/.test(text) && BOOLEAN.test(parts[0] ?? '');
  return (
    (parts.length > 1 || isBoolean) &&
    parts.every((part) => {
      const words = wordsOfPart(part);
      const isWeak = /\b(?:nil|null|None|undefined)\b|[<>]/.test(part) || BOOLEAN.test(part);
      return added.some(
        (other) => !isAlternative(other) && other.rank >= (isWeak ? 1 : 3) && words.isSubsetOf(plainWords(other.code)),
      );
    })
  );
}

const BOOLEAN = /^!?(?!.*(?:Equal|Diff))[\w.]+(?:\([^()]*\))?$/;

/** What a callback is told first, and a promise says by itself. */
const NO_ERROR =
  /\bifError\(|\b(?:e|err|error)\b[^\n]*\b(?:null|undefined|toBe(?:Null|Undefined|Falsy)|not\.exist|notOk|false)\b/;
const AWAITS = /\bawait\b|\.then\(/;

/** Whether the texts are parts of others: of a longer message, or of a regular expression. */
function areWithin(literals: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const all = [...others].join('\n');
  return [...literals].every((text) => others.has(text) || (text.length >= LONG_TEXT && all.includes(text)));
}

const OF_RUNNERS = /^(?:expect|assert\w*|self|to|be|equal|eql?|to[A-Z]\w*)$/;
const LONG_TEXT = 4; // characters: a shorter one is in others by chance
const MIN_COVERED_SHARE = 0.8; // a table writes some values in another way

/** A loop over values checks with one assertion what several checked before. */
function loops({ bare }: TestCase): number {
  return bare.match(/\b(?:for|range|forEach|each|every|map|parametrize|subTest)\b/g)?.length ?? 0;
}

/** Whether the values that a test gave and expected, and the functions that it called, are all in its loop. */
function isTabled(before: TestCase, after: TestCase): boolean {
  const [old, now] = [before, after].map(({ code }) => code.replaceAll(WORDS_OF_GO, ''));
  const given = literalsOf(old ?? '');
  if (given.size < FEW || shareIn(given, literalsOf(now ?? '')) < MIN_COVERED_SHARE) return false;
  return callsIn(before).isSubsetOf(callsIn(after));
}

/** What Go's tests say where they fail. */
export const WORDS_OF_GO = /\bt\.(?:Error|Fatal|Log)f?\([^\n]*/g;
const FEW = 3; // values: fewer are in another test by chance

/** The functions that a test calls, apart from its checks. */
const callsIn = ({ bare }: TestCase) =>
  new Set(
    Array.from(bare.replaceAll(WORDS_OF_GO, '').matchAll(/(?:\w+\.)*?(\w+)!?\(/g))
      .filter(([head]) => !isAssertionName(head.slice(0, -1)))
      .map(([, name = '']) => name),
  );

const WHOLE = /^(?:[[{"'`]|%w|\w*[lL]ist(?:Of|\.of)\(|\[\]\w+\{|vec!)/;

/**
 * Whether another assertion compares the whole value of which one checks a part: `len(lines) == 2` and `lines[0] == "a"` are said
 * by `lines == ["a", "b"]`.
 */
function isImplied(one: Assertion, whole: Assertion, before: string): boolean {
  if (whole.rank < 4 || whole.isConstant) return false;
  const [value] = whole.values.filter((text) => WHOLE.test(text));
  const subject = whole.values.find((text) => !WHOLE.test(text));
  if (value === undefined || subject === undefined) return false;
  const plain = plainCode(withValuesBehind(one.code, before));
  if (!plain.includes(plainCode(subject))) return false;
  const inside = [...literalsOf(value)].join('\n');
  return one.rank < 4 || SIZE.test(one.code) || [...valuesOf(one)].every((text) => inside.includes(text));
}

const SIZE = /\.(?:length|size|count)\b|\blen\(/;

/** What an assertion expects, without the places of its values. */
const valuesOf = ({ values }: Assertion) =>
  literalsOf(
    values
      .map((text) => text.replaceAll(/\[\d*:?\d*\]/g, ''))
      .filter((text) => WHOLE.test(text) || /^\d/.test(text))
      .join(' '),
  );
