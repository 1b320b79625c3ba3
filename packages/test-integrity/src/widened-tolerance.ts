import type { ProgramText } from './program-text.ts';
import { splitArguments } from './split-arguments.ts';

const NAMED = /close_?to|approx|almost|delta|epsilon|toleran|within|relative|isclose|places|precision/i;
const TOLERANT = new RegExp(`${NAMED.source}|\\babs\\(`, 'i');
/** A larger number is stricter. */
const DIGITS = /toBeCloseTo|expect\.closeTo|places|precision|AlmostEqual\((?![^)]*delta)/i;
const UPPER = /[lL]ess|atMost|at_most|\bmost\b|below|\blte?\b|<=?(?!.*>)/;
const LOWER = /[gG]reater|atLeast|at_least|\bleast\b|above|\bgte?\b|>=?(?!.*<)/;

/** Whether two assertions differ in one number only, by which the second accepts more. */
export function isWidened(from: string, to: string, program: ProgramText): boolean {
  const [old, now] = [numbersIn(from), numbersIn(to)];
  if (old.length !== now.length) return isTolerant(from) && isTolerant(to) && isWide(from, to);
  if (from.replaceAll(NUMBER, '#') !== to.replaceAll(NUMBER, '#')) return false;
  const at = old.findIndex((number, index) => number !== now[index]);
  if (at === -1 || old.filter((number, index) => number !== now[index]).length > 1) return false;
  const [a, b] = [Number(old[at]?.replaceAll('_', '')), Number(now[at]?.replaceAll('_', ''))];
  if (Number.isNaN(a) || Number.isNaN(b)) return false;
  if (isTolerant(from)) return at === old.length - 1 && (DIGITS.test(from) ? b < a : b > a);
  // A limit that the program itself changed is what the test is for.
  if (program.before.includes(old[at] ?? '') && program.after.includes(now[at] ?? '')) return false;
  return (UPPER.test(from) && b > a) || (LOWER.test(from) && b < a);
}

const WIDE = 0.001; // more than rounding makes
const FEW_DIGITS = 2; // those of `toBeCloseTo` without a number

/** Whether the tolerance that the second assertion has and the first has not is wide. That of a runner without a number is not. */
export function isWide(from: string, to: string): boolean {
  const left = numbersIn(from).map(Number);
  const extra = numbersIn(to)
    .map(Number)
    .filter((number) => {
      const at = left.indexOf(number);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    });
  // The new number is no tolerance where another value changed too.
  if (extra.length <= left.length) return false;
  const tolerance = extra.at(-1) ?? 0;
  return DIGITS.test(to) ? tolerance < FEW_DIGITS : tolerance > WIDE;
}

/** Whether an assertion compares within a tolerance, by the name of its matcher or by a difference. */
export function isTolerant(code: string): boolean {
  return TOLERANT.test(code) || withinThird(code);
}

/** JUnit's `assertEquals(1.5, x, 0.1)`. */
function withinThird(code: string): boolean {
  const args = /\bassert(?:Array)?Equals\(([\s\S]*)\)/.exec(code)?.[1];
  return (
    args !== undefined &&
    /^\s*(?:\d+\.\d*|\.\d+|\d+(?=[fdFD]))(?:e-?\d+)?[fdFD]?\s*$/.test(splitArguments(args)[2] ?? '')
  );
}

const NUMBER = /(?:(?<![\w.)\]])-)?(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?/gi;

const MAX_NUMBERS = 100; // of one assertion

function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(NUMBER).take(MAX_NUMBERS), ([number]) => number);
}
