import type { ProgramText } from './program-text.ts';

const TOLERANT =
  /close_?to|approx|almost|delta|epsilon|toleran|\babs\(|Abs\(|within|relative|isclose|places|precision/i;
/** A larger number is stricter. */
const DIGITS = /toBeCloseTo|places|precision|AlmostEqual\((?![^)]*delta)/i;
const UPPER = /[lL]ess|atMost|at_most|\bmost\b|below|\blte?\b|<=?(?!.*>)/;
const LOWER = /[gG]reater|atLeast|at_least|\bleast\b|above|\bgte?\b|>=?(?!.*<)/;

/** Whether two assertions differ in one number only, by which the second accepts more. */
export function isWidened(from: string, to: string, program: ProgramText): boolean {
  const [old, now] = [numbersIn(from), numbersIn(to)];
  if (old.length !== now.length) return isToleranceAdded(from, to);
  if (from.replaceAll(NUMBER, '#') !== to.replaceAll(NUMBER, '#')) return false;
  const at = old.findIndex((number, index) => number !== now[index]);
  if (at === -1 || old.filter((number, index) => number !== now[index]).length > 1) return false;
  const [a, b] = [Number(old[at]?.replaceAll('_', '')), Number(now[at]?.replaceAll('_', ''))];
  if (Number.isNaN(a) || Number.isNaN(b)) return false;
  if (TOLERANT.test(from)) return at === old.length - 1 && (DIGITS.test(from) ? b < a : b > a);
  // A limit that the program itself changed is what the test is for.
  if (program.before.includes(old[at] ?? '') && program.after.includes(now[at] ?? '')) return false;
  return (UPPER.test(from) && b > a) || (LOWER.test(from) && b < a);
}

function isToleranceAdded(from: string, to: string): boolean {
  const [old, now] = [numbersIn(from), numbersIn(to)];
  if (now.length !== old.length + 1 || !TOLERANT.test(to) || !TOLERANT.test(from)) return false;
  const added = Number(now.at(-1));
  return DIGITS.test(to) ? added < 2 : added > 0.001;
}

const NUMBER = /(?:(?<![\w.)\]])-)?(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?/gi;

function numbersIn(text: string): string[] {
  return text.match(NUMBER) ?? [];
}
