import { type Assertion, assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';
import { plainCode, shareIn, tokensOf } from './tokens.ts';

/** An assertion that is gone, and the new one that it most likely became. */
export interface AssertionPair {
  readonly from: Assertion;
  readonly to: Assertion;
}

export interface PairedAssertions {
  readonly old: readonly Assertion[];
  readonly now: readonly Assertion[];
  readonly pairs: readonly AssertionPair[];
  /** Those that are gone and became none. */
  readonly unpaired: readonly Assertion[];
  readonly added: readonly Assertion[];
}

const MOST_COMPARED = 60; // assertions of one test: a longer one is compared as far as that

/**
 * Compares the assertions of a test before and after.
 *
 * @param elsewhere assertions of new tests, in plain code: one that moved there is not gone
 */
export function pairAssertions(before: TestCase, after: TestCase, elsewhere: ReadonlySet<string>): PairedAssertions {
  const [old, now] = [assertionsOf(before), assertionsOf(after)];
  const kept = new Set([...elsewhere, ...now.map(({ text }) => plainCode(text))]);
  const had = new Set(old.map(({ text }) => plainCode(text)));
  const lost = old
    .filter(({ text, isConstant }) => !kept.has(plainCode(text)) && !isConstant && !/^(?:\w+\.)?fail\(/.test(text))
    .slice(0, MOST_COMPARED);
  const added = now.filter(({ text }) => !had.has(plainCode(text))).slice(0, MOST_COMPARED);
  const tokens = new Map([...lost, ...added].map((one) => [one, tokensOf(one.code)]));
  const likeness = (a: Assertion, b: Assertion) => {
    const [ofA, ofB] = [tokens.get(a) ?? NONE, tokens.get(b) ?? NONE];
    return shareIn(ofA, ofB) + shareIn(ofB, ofA);
  };
  const all = lost.flatMap((from) => added.map((to) => ({ from, to, score: likeness(from, to) })));
  const pairs: AssertionPair[] = [];
  const used = new Set<Assertion>();
  for (const { from, to } of all.sort((a, b) => b.score - a.score)) {
    if (used.has(from) || used.has(to)) continue;
    used.add(from).add(to);
    pairs.push({ from, to });
  }
  return { old, now, pairs, unpaired: lost.filter((one) => !used.has(one)), added };
}

const NONE: ReadonlySet<string> = new Set();
