import { conditionOf, ifAround } from './condition-around.ts';
import { holdsOnLinux } from './holds-on-linux.ts';
import type { Skip, TestCase } from './test-case.ts';

/** How far in a body a call that skips is looked for: a change must not keep the service busy. */
export const SKIP_WITHIN = 3_000; // characters

/** The kind of a conditional skip. A skip for another system is normal; this service runs tests on Linux. */
export function skipIf(condition: string): Skip {
  return holdsOnLinux(condition) === false ? 'elsewhere' : 'conditional';
}

export function skipUnless(condition: string): Skip {
  return holdsOnLinux(condition) === true ? 'elsewhere' : 'conditional';
}

/** How a call skips, by the `if` that it stands in. */
export function skipAt(test: Pick<TestCase, 'bare' | 'code' | 'language'>, at: number): Skip {
  const around = ifAround(test, at);
  if (around === null) return 'conditional';
  const { isNegated, condition } = conditionOf(around);
  return isNegated ? skipUnless(condition) : skipIf(condition);
}
