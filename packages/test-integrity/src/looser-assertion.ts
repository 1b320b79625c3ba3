import type { Assertion } from './assertions.ts';
import { localValues, namesBehind } from './local-values.ts';
import { comparesWithItself, losesCondition, losesField, losesLink } from './lost-parts.ts';
import type { AssertionPair } from './pair-assertions.ts';
import type { ProgramText } from './program-text.ts';
import { splitArguments, splitOutside } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, shareIn, tokensOf } from './tokens.ts';
import { usesRemoved } from './uses-removed.ts';
import { isTolerant, isWide, isWidened } from './widened-tolerance.ts';

const RELATED = 0.3; // the share of names below which an assertion did not become the other, but gave place to it

/** A test in which one check became another. */
export interface Judged {
  readonly before: TestCase;
  readonly after: TestCase;
  readonly program: ProgramText;
  /** The checks that are new, in which the parts of another one may be. */
  readonly added: readonly Assertion[];
}

/** Whether a check pins down less than the one that it replaced. */
export function isLooser({ from, to }: AssertionPair, { before, after, program, added }: Judged): boolean {
  if (usesRemoved(withValuesBehind(from.code, before.code), program.removed)) return false;
  if (to.isConstant || isWidened(from.code, to.code, program)) return true;
  if (!areRelated({ from, to }, before, after)) return false;
  if (isAmongOthers(from, to)) return false;
  if (isTolerant(to.code) && !isTolerant(from.code)) {
    if (isWide(from.code, to.code)) return true;
    // A difference may be what is checked.
    if (!DIFFERENCE.test(to.code)) return false;
  }
  if (hasLostValue(from.code, to.code)) return true;
  if (comparesWithItself(to, after) && !comparesWithItself(from, before)) return true;
  const others = tokensOf(added.flatMap((one) => (one === to ? [] : [one.code])).join('\n'));
  const losesPart = losesCondition(from, to, others);
  if (losesPart !== null) return losesPart;
  if (losesField(from, to, others) || losesElement(from, to, after)) return true;
  if (losesLink(from, to) || isTextShortened(from, to, program)) return true;
  if (from.rank === 4 && asksForPart(from.code, to.code)) return true;
  if (to.rank >= from.rank || isSameFact(from, to)) return false;
  if (from.rank === 4 && to.rank === 3)
    return shareIn(literalsOf(withoutCall(from)), literalsOf(to.code)) < 1 || losesVariant(from, to);
  return true;
}

const DIFFERENCE = /\babs\(/i;

/** The condition of `if _, err := f(-1); err != nil {`, whose call may stand alone. */
function withoutCall({ code, text }: Assertion): string {
  return /^if\b/.test(text) ? (splitOutside(code, /;/).at(-1) ?? '') : code;
}

/** `Err(Error::End)` became `matches!(x, Err(_))`. */
function losesVariant(from: Assertion, to: Assertion): boolean {
  if (!/\bmatches!/.test(to.code)) return false;
  return [...namesOf(from.code)].some((name) => /^[A-Z]/.test(name) && !namesOf(to.code).has(name));
}

function areRelated({ from, to }: AssertionPair, before: TestCase, after: TestCase): boolean {
  const names = namesBehind(from.code, localValues(before.code));
  const others = namesBehind(to.code, localValues(after.code));
  return Math.max(shareIn(others, names), shareIn(names, others)) >= RELATED;
}

/** `assert a == 3` became `assert (a, b) == (3, 2)`: the same values at the same place. */
function isAmongOthers(from: Assertion, to: Assertion): boolean {
  const [left, right, ...more] = from.values.map(plainCode);
  const [all = [], wanted = []] = to.values.map(elementsOf);
  return more.length === 0 && all.some((value, at) => value === left && wanted[at] === right);
}

function elementsOf(value: string): string[] {
  const inner = /^[([]([\s\S]*)[)\]]$/.exec(value)?.[1];
  return inner === undefined ? [] : splitArguments(inner).map(plainCode);
}

/** `assert (a, b) == (3, 2)` became `assert b == 2`, `expect(x).toEqual([3, 2])` became `expect(x[1]).toBe(2)`. */
function losesElement(from: Assertion, to: Assertion, after: TestCase): boolean {
  const [subject = '', expected = '', ...more] = from.values.filter((value) => !/^[({]?\s*[)}]?$/.test(value));
  if (more.length > 0) return false;
  const [elements, values] = [elementsOf(subject), elementsOf(expected)];
  const isOne = elements.some((element, at) => to.values.map(plainCode).join('\n') === `${element}\n${values[at]}`);
  const isPart = [subject, expected].some((whole) =>
    to.values.some((part) => /^[\w.$]+$/.test(whole) && (part.startsWith(`${whole}.`) || part.startsWith(`${whole}[`))),
  );
  if (!(elements.length > 1 && isOne) && !isPart) return false;
  const had = literalsOf(from.code);
  const [has, left] = [literalsOf(to.code.replaceAll(/\[\d+\]/g, '')), literalsOf(after.code)];
  return has.size > 0 && had.size > 1 && has.isSubsetOf(had) && [...had].some((value) => !left.has(value));
}

/** By the name of its runner. */
export const EXPECTS_ERROR = /\b\w*(?:[tT]hrow|[rR]aise|[pP]anic|[rR]eject|[fF]ails)\w*\b/;

const PLAIN = /^(?:true|false|null|nil|None|undefined|True|False|\[\]|\{\}|""|''|0)$/;

/** `toBe(true)` and `toBeTruthy()`, `equal(x, null)` and `isNull(x)`: a matter of taste. */
function isSameFact(from: Assertion, to: Assertion): boolean {
  const isPlain = PLAIN.test(from.values.at(-1)?.replace(/[;\s]+$/, '') ?? '');
  const isGo = /\(\s*[\w.()]+,\s*(?:true|false|nil)\s*,/.test(from.code);
  const saysMore = literalsOf(to.code).difference(literalsOf(from.code)).size > 0;
  return (isPlain || isGo) && !saysMore && !/toBeDefined|\bnot\b|[nN]ot[A-Z_]/.test(to.code);
}

/** `property('x', 'y')` became `property('x')`. */
function hasLostValue(from: string, to: string): boolean {
  const values = (code: string) => {
    const call = /\b(?:\w*[pP]roperty|own|attribute|toHaveAttribute)\(([\s\S]*)\)\s*$/.exec(
      code.trim().replace(/;$/, ''),
    );
    return call === null ? 0 : splitArguments(call[1] ?? '').length;
  };
  return values(from) === 2 && values(to) === 1;
}

/** A check with what the names in it were set to: `assert total == 3` is about `total = cart.total()`. */
export function withValuesBehind(code: string, test: string): string {
  const values = localValues(test);
  return [code, ...[...namesOf(code)].map((name) => values.get(name) ?? '')].join('\n');
}

/** How many there are, and not which. */
const SIZE = /\.(?:length|size|count)\b(?!\s*\(\s*\w)|\blen\(|\bcount\(/;

/** One of several values, whichever it is. */
const EITHER =
  /\bexpect\(\s*\[[^\]]*\]\s*\)\s*\.(?:to\.)?(?:toContain|include|contain)|\b(?:isIn|oneOf|isOneOf|be_in)\(|\bin\s*[([{]\s*[^)\]}]*[)\]}]\s*$|\bassert_?includes?\b\s*\(?\s*\[|\[[^\]]*\]\s*\.(?:includes|contains|include\?)\(/i;

/** A pattern of Rust with several cases. */
const CASES = /\bmatches!\s*\([\s\S]*[^|]\|(?!\|)/;

/** Any value, in the place of one. */
const ANYTHING =
  /\banything\b|\bexpect\.any\(|\bANY\b|\bany(?:String|Int|Integer|Long|Double|Float|Boolean|Object|List|Set|Map|Collection|Varargs)?\(|\b(?:kind_of|instance_of)\(|\bgomock\.Any\(|\bmock\.Anything\b/g;

/** So many calls or more, also none. */
const AT_LEAST = /\bat_?(?:least|most)(?:_?once)?\b/gi;

/** A number without its digits. */
const ROUNDED =
  /\bMath\.(?:round|floor|ceil|trunc)\(|(?<![\w.])(?:round|int)\(|\bparseInt\(|\.toFixed\(|\.(?:round|floor)\b/g;

/** Whether a check asks for less of the same than the one before it, although the matcher may be as strict. */
function asksForPart(from: string, to: string): boolean {
  if ([SIZE, EITHER, CASES].some((form) => form.test(to) && !form.test(from))) return true;
  if (/\bat_?[lL]east\(\s*0\s*\)/.test(to) && !/\bat_?[lL]east\(\s*0\s*\)/.test(from)) return true;
  // One that says more besides loses nothing of what it said.
  if (tokensOf(from).isSubsetOf(tokensOf(to))) return false;
  if ([ANYTHING, AT_LEAST].some((form) => count(to, form) > count(from, form))) return true;
  return count(to, ROUNDED) > count(from, ROUNDED) && !literalsOf(from).isSubsetOf(literalsOf(to));
}

function count(code: string, form: RegExp): number {
  return code.match(form)?.length ?? 0;
}

/** Matchers that take a text for a part of another one, or for a regular expression. */
const PARTIAL =
  /\btoThrow\w*\(|\bmatch\w*\b|\bexpected\s*=|[cC]ontain|[iI]nclude|[sS]tarts_?[wW]ith|[eE]nds_?[wW]ith|[hH]as_?[pP]refix|Regexp?\b|\braise_error\b.*\/|=~/;
const TEXT =
  /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?<=[(,:=]\s*)\/((?:[^/\\\n]|\\.)+)\/[a-z]*/g;
const MAX_TEXTS = 20; // of one check

/**
 * Whether a check asks for less of a text than before: half of it or less, or anything. Not where the program gives that text
 * now.
 */
function isTextShortened(from: Assertion, to: Assertion, program: ProgramText): boolean {
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
  return Array.from(code.matchAll(TEXT).take(MAX_TEXTS), ([, double, single, back, regex]) => ({
    text: double ?? single ?? back ?? regex ?? '',
    isRegex: regex !== undefined,
  }));
}

/** Without the signs of a regular expression. */
function wordsOf(text: string): string {
  return text.replaceAll(/\\[a-zA-Z]|[^\p{L}\p{N} ]/gu, '').trim();
}
