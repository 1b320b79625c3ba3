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
  /** The assertions that are gone and became no other. */
  readonly unpaired: readonly Assertion[];
  readonly added: readonly Assertion[];
}

const MAX_COMPARED_ASSERTIONS = 60; // assertions of one test: a longer one is compared as far as that

/**
 * Compares the assertions of a test before and after.
 *
 * @param elsewhere assertions of new tests, in plain code: one that moved there is not gone
 */
export function pairAssertions(before: TestCase, after: TestCase, elsewhere: ReadonlySet<string>): PairedAssertions {
  const [old, now] = [assertionsOf(before), assertionsOf(after)];
  const lost = without(old, now)
    .filter(({ text, isConstant }) => !elsewhere.has(plainCode(text)) && !isConstant && !/^(?:\w+\.)?fail\(/.test(text))
    .slice(0, MAX_COMPARED_ASSERTIONS);
  const added = without(now, old).slice(0, MAX_COMPARED_ASSERTIONS);
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

/** The assertions that the others have not. The same one may be made of several results: each counts. */
function without(all: readonly Assertion[], others: readonly Assertion[]): Assertion[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(plainCode(text), (left.get(plainCode(text)) ?? 0) + 1);
  return all.filter(({ text }) => {
    const count = left.get(plainCode(text)) ?? 0;
    left.set(plainCode(text), count - 1);
    return count <= 0;
  });
}

const NONE: ReadonlySet<string> = new Set();
