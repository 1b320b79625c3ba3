import { isAssertionName } from './assertions.ts';
import type { TestCase } from './test-case.ts';
import { plainCode } from './tokens.ts';

const CALL = /(?<![\w$.@])@{0,2}[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*!?\(/g;
const RUNNER = /^(?:it|test|describe|context|suite|def|func|function|fn|fun|if|for|while|switch|catch|return|with)\b/;
const MAX_CALL_LENGTH = 300; // characters: what a test gives to the program is written in a few lines

/** The calls of a test that give something to the program, in plain code: `cart(None)`, not `total()` or `expect(x)`. */
export function programCalls(test: Pick<TestCase, 'bare' | 'code'>): Set<string> {
  return new Set([...callsOf(test)].filter((call) => !call.endsWith('()')));
}

/** The calls of a test that are no checks. */
export function callsOf({ bare, code }: Pick<TestCase, 'bare' | 'code'>): Set<string> {
  const closeOf = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: sign } of bare.matchAll(/[()]/g)) {
    if (sign === '(') open.push(index);
    else closeOf.set(open.pop() ?? -1, index);
  }
  const calls = Array.from(bare.matchAll(CALL)).flatMap(({ index, 0: head }) => {
    const close = closeOf.get(index + head.length - 1) ?? Infinity;
    if (close - index > MAX_CALL_LENGTH || RUNNER.test(head) || isAssertionName(head.slice(0, -1))) return [];
    if (DECLARES.test(bare.slice(Math.max(0, index - 20), index))) return [];
    return [plainCode(code.slice(index, close + 1)).replace(OWN, '')];
  });
  return new Set(calls);
}

/** What belongs to the test's object may be a variable in another runner. */
const OWN = /^(?:@@?|(?:self|this)\.)/;
const DECLARES = /\b(?:def|func|fun|fn|function|void)\s+$/;
