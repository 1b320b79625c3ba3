import type { ProgramText } from './program-text.ts';
import type { TestCase } from './test-case.ts';

/** What moves a clock on that a test made. One that sleeps waits for the machine. */
const MOVES =
  /\b(?:tick\w*|advance\w*|fastForward|fast_forward|travel(?:_to)?|shift|elapse|moveBy|move_by|move_to|plus(?:Nanos|Millis|Seconds|Minutes|Hours|Days)?|timedelta|Add)(?:\(|[ \t]+(?=\d))([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)/gi;
const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?/g;
const FAR = 10; // times as far as before
const SAME = [1, 1_000, 60, 3_600, 60_000, 3_600_000, 86_400, 24]; // what units differ by
const MOST = 50; // moves of one test

/**
 * How far a test moves its clock now, where it went to a limit before and goes far beyond it; null where it does not. Not where
 * the limit moved as well, in the program or in the test.
 */
export function jumpedClock(before: TestCase, after: TestCase, program: ProgramText): string | null {
  const [old, now] = [movesOf(before.code), movesOf(after.code)];
  if (old.length === 0 || old.length !== now.length) return null;
  const at = old.findIndex((move, index) => move !== now[index]);
  const [from = '', to = ''] = [old[at], now[at]];
  if (at === -1 || from.replaceAll(NUMBER, '#') !== to.replaceAll(NUMBER, '#')) return null;
  // What else the test says stays as it is.
  if (withoutMoves(before.code) !== withoutMoves(after.code)) return null;
  const [a, b] = [from, to].map(numbersIn);
  const changed = a?.findIndex((number, index) => number !== b?.[index]) ?? -1;
  const [short = 0, long = 0] = [a?.[changed], b?.[changed]];
  if (long < short * FAR || short === 0) return null;
  const had = new Set(numbersIn(program.before));
  const isLimit = numbersIn(program.after).some(
    (number) => !had.has(number) && SAME.some((unit) => isNear(number * unit, long) || isNear(long * unit, number)),
  );
  return isLimit ? null : to.trim();
}

/** One before a limit, and one after it, are said of it too. */
const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.1 * b;

function movesOf(code: string): string[] {
  return Array.from(code.matchAll(MOVES).take(MOST), ([, argument = '']) => argument);
}

/** The numbers outside of what moves the clock. */
function withoutMoves(code: string): string {
  return numbersIn(code.replaceAll(MOVES, ' ')).join(' ');
}

function numbersIn(code: string): number[] {
  return Array.from(code.matchAll(NUMBER), ([number]) => Number(number.replaceAll('_', '')));
}
