import type { Assertion } from './assertions.ts';
import { localValues, namesBehind } from './local-values.ts';
import { comparesWithItself, losesCondition, losesField, losesLink } from './lost-parts.ts';
import type { AssertionPair } from './pair-assertions.ts';
import { asksForPart } from './partial-check.ts';
import type { ProgramText } from './program-text.ts';
import { isTextShortened } from './shortened-text.ts';
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
