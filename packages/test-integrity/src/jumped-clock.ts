import type { ProgramText } from './program-text.ts';
import type { TestCase } from './test-case.ts';

/** Calls that advance a clock that a test made. A test that sleeps waits for the machine. */
const MOVES =
  /\b(?:tick\w*|advance\w*|fastForward|fast_forward|travel(?:_to)?|shift|elapse|moveBy|move_by|move_to|plus(?:Nanos|Millis|Seconds|Minutes|Hours|Days)?|timedelta|Add)(?:\(|[ \t]+(?=\d))([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)/gi;
/** What goes to the end, however far that is. */
const TO_THE_END = /\b(?:run(?:All|ToLast)\w*|advanceUntilIdle|advanceToEnd)\(/g;
const UNITS = [
  [/nano/i, 1e-9],
  [/micro/i, 1e-6],
  [/milli|\bms\b/i, 1e-3],
  [/minute/i, 60],
  [/hour/i, 3_600],
  [/day/i, 86_400],
] as const;
const UNIT = /(?:nano|micro|milli|seconds?|minutes?|hours?|days?)+|s\b/gi;
const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?/g;
const FAR = 10; // times as far as before
const SAME = [1, 1_000, 60, 3_600, 60_000, 3_600_000, 86_400, 24]; // what units differ by
const MAX_MOVES = 50; // moves of one test

/**
 * How far a test moves its clock now, where it went to a limit before and goes far beyond it; null where it does not. Not where
 * the limit moved as well, in the program or in the test.
 */
export function jumpedClock(before: TestCase, after: TestCase, program: ProgramText): string | null {
  const [old, now] = [movesOf(before.code), movesOf(after.code)];
  const end = after.code.match(TO_THE_END) ?? [];
  if (old.length > 1 && old.length > now.length && end.length > (before.code.match(TO_THE_END) ?? []).length)
    return end[0] ?? null;
  if (old.length === 0 || old.length !== now.length) return null;
  const at = old.findIndex((move, index) => move !== now[index]);
  const [from = '', to = ''] = [old[at], now[at]];
  if (at === -1 || shapeOf(from) !== shapeOf(to)) return null;
  // What else the test says stays as it is.
  if (withoutMoves(before.code) !== withoutMoves(after.code)) return null;
  const [short = 0, long = 0] = [from, to].map(amountOf);
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
  return Array.from(code.matchAll(MOVES).take(MAX_MOVES), ([move]) => move);
}

const shapeOf = (move: string) => move.replaceAll(NUMBER, '#').replaceAll(UNIT, '');

/** The first number of a move, in the unit that is named with it. */
function amountOf(move: string): number {
  const unit = UNITS.find(([name]) => name.test(move))?.[1] ?? 1;
  return (numbersIn(move).find((number) => number > 0) ?? 0) * unit;
}

/** The numbers outside of what moves the clock. */
function withoutMoves(code: string): string {
  return numbersIn(code.replaceAll(MOVES, ' ')).join(' ');
}

function numbersIn(code: string): number[] {
  return Array.from(code.matchAll(NUMBER), ([number]) => Number(number.replaceAll('_', '')));
}
