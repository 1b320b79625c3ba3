import { assertionsOf } from './assertions.ts';
import { localValues } from './local-values.ts';
import { callsOf } from './program-calls.ts';
import type { TestCase } from './test-case.ts';
import { namesOf } from './tokens.ts';

/** How a test was cut off from the program that it called before; null where it was not. */
export function cutOff(before: TestCase, after: TestCase): string | null {
  const fixed = fixedValue(before, after);
  return fixed === null ? null : `no longer calls the program: \`${fixed}\` is a fixed value`;
}

const FIXED = /^(?:[[{"'`\d-]|true\b|false\b|True\b|False\b)/;

/** A name that is checked, that a call gave before and a literal gives now, in a test that calls nothing else. */
function fixedValue(before: TestCase, after: TestCase): string | null {
  if (callsOf(after).size > 0 || callsOf(before).size === 0) return null;
  const checked = namesOf(
    assertionsOf(after)
      .map(({ code }) => code)
      .join('\n'),
  );
  const had = localValues(before.code);
  const has = localValues(after.code);
  return (
    [...has].find(
      ([name, value]) => checked.has(name) && FIXED.test(value) && had.get(name)?.includes('(') === true,
    )?.[0] ?? null
  );
}
