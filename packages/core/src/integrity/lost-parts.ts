import type { Assertion } from './assertions.ts';
import { localValues } from './local-values.ts';
import { splitOutside, withoutBrackets } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, tokensOf } from './tokens.ts';

/**
 * Whether a condition asks for less: one of the parts that must all hold is gone, or there is another way to hold. Null where
 * its parts say nothing about that.
 *
 * @param others the words and values of the other new checks, which may have taken a part over
 */
export function losesCondition(from: Assertion, to: Assertion, others: ReadonlySet<string>): boolean | null {
  // The condition of Go's `if … { t.Error() }` says when the test fails.
  const isFailure = /^if\b/.test(from.text) && /^if\b/.test(to.text);
  const [must, may] = isFailure ? [OR, AND] : [AND, OR];
  const [needs, needed] = [partsOf(to.code, must), partsOf(from.code, must)];
  if (needs.length < needed.length && needs.every((part) => needed.includes(part))) {
    const lost = needed.filter((part) => !needs.includes(part) && !isImplied(part, needs));
    return lost.some((part) => !tokensOf(part).isSubsetOf(others));
  }
  const [ways, had] = [partsOf(to.code, may), partsOf(from.code, may)];
  if (ways.length > had.length && had.every((way) => ways.includes(way))) return true;
  // In another form one of the parts may be said, and the other by no check.
  const parts = partsThatMustHold(from.code, from.text);
  if (parts.length < 2 || partsThatMustHold(to.code, to.text).length > 1) return null;
  if (/^if\b/.test(to.text)) return null;
  const said = plainWords(to.code);
  const isKept = parts.some((part) => literalsOf(part).size > 0 && wordsOfPart(part).isSubsetOf(said));
  const left = new Set([...said, ...plainWords([...others].join(' '))]);
  return isKept && parts.some((part) => !literalsOf(part).isSubsetOf(left)) ? true : null;
}

/** What a part of a condition says, in whatever form. */
export const wordsOfPart = (part: string) =>
  new Set([...plainWords(part)].filter((token) => token !== '' && !OF_LIBRARIES.test(token)));

/** Names and values, without the signs around texts, which differ. */
export const plainWords = (code: string) => new Set([...namesOf(code), ...literalsOf(code)]);

const OF_LIBRARIES =
  /^(?:0|errors|reflect|strings|bytes|slices|maps|cmp|Is|As|Equal|DeepEqual|Contains|Diff|len|nil|null|None|undefined|true|false|True|False|not|is|isEqual|equals|Objects|Arrays)$/;

/** The parts of a condition that must all hold; of Go's `if … { t.Error() }` those by which the test fails. */
export function partsThatMustHold(code: string, text: string): string[] {
  return partsOf(code, /^if\b/.test(text) ? OR : AND);
}

/** That there is something is said by what it must be: `x != nil && x.id == 3` and `x.id == 3`. */
function isImplied(part: string, others: readonly string[]): boolean {
  const subject = /^([\w.[\]]+) ?(?:[!=]==?|is not|is) ?(?:nil|null|None|undefined)$/.exec(part)?.[1];
  return subject !== undefined && others.some((other) => other.includes(subject));
}

const AND = /&&|\band\b/;
const OR = /\|\||\bor\b/;

function partsOf(condition: string, separator: RegExp): string[] {
  const last = splitOutside(condition, /;/).at(-1) ?? '';
  return splitOutside(withoutBrackets(last) ?? last, separator).map(plainCode);
}

/** Whether one of the calls in a row is gone that said more: `.hasMessage("x")`, `.with('a')`, `.once`. */
export function losesLink(from: Assertion, to: Assertion): boolean {
  const [had, has] = [linksOf(from.text), linksOf(to.text)];
  if (has.length >= had.length || has.some((link) => !had.includes(link))) return false;
  return had.some((link) => !has.includes(link) && SAYS_MORE.test(link));
}

/** Matchers that ask for a part of an object: a field less is less. */
const ASKS_FOR_FIELDS =
  /\b(?:toMatchObject|objectContaining|hash_including|have_attributes|a_hash_including|containsEntry|containsAllEntriesOf|partialDeepStrictEqual|containSubset|assertDictContainsSubset)\b/;

/**
 * Whether a check asks for fewer fields of an object than before, and for nothing new.
 *
 * @param others the words and values of the other new checks, which may have taken a field over
 */
export function losesField(from: Assertion, to: Assertion, others: ReadonlySet<string>): boolean {
  if (!ASKS_FOR_FIELDS.test(from.text) || !ASKS_FOR_FIELDS.test(to.text)) return false;
  const [had, has] = [tokensOf(from.code), tokensOf(to.code)];
  if (has.size >= had.size || !has.isSubsetOf(had)) return false;
  const fields = Array.from(from.code.matchAll(/(\w+)["']?\s*(?::|=>|=)/g), ([, field = '']) => field);
  return fields.some((field) => !has.has(field) && !others.has(field));
}

const SAYS_MORE = /[("'][^)]*["'\d:]|^(?:once|twice|thrice|exactly|times)\b/;

function linksOf(text: string): string[] {
  return splitOutside(text.replace(/;$/, ''), /\.(?=[A-Za-z_])/).map(plainCode);
}

/** Whether both sides come from the same call of the program: what it gives is what it gives. */
export function comparesWithItself({ values }: Assertion, test: TestCase): boolean {
  const [left, right, ...more] = values;
  if (left === undefined || right === undefined || more.length > 0) return false;
  const known = localValues(test.code);
  const [a, b] = [left, right].map((value) => plainCode(known.get(value) ?? value));
  return a === b && a !== undefined && a.includes('(');
}
