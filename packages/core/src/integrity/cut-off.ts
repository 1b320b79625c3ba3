import { assertionsOf } from './assertions.ts';
import { localValues } from './local-values.ts';
import { callsOf } from './program-calls.ts';
import type { TestCase } from './test-case.ts';
import { namesOf } from './tokens.ts';

/** How a test was cut off from the program that it called before; null where it was not. */
export function cutOff(before: TestCase, after: TestCase): string | null {
  const fixed = fixedValue(before, after);
  if (fixed !== null) return `no longer calls the program: \`${fixed}\` is a fixed value`;
  const replaced = replacedSubject(before, after);
  return replaced === null ? null : `replaces what it tests: \`${replaced}\``;
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

const REPLACES =
  /\b(?:mock\.)?patch(?:\.object)?\(\s*(?:[\w.]+,\s*)?["'](?:[\w.]*\.)?(\w+)["']|\bsetattr\(\s*(?:[\w.]+,\s*)?["'](?:[\w.]*\.)?(\w+)["']|\bspyOn\(\s*[\w.]+,\s*["'](\w+)["']\s*\)\s*\.mock(?:Return|Resolved|Rejected|Implementation)/g;

/** A function that the test calls itself, as before, and that it replaces now. */
function replacedSubject(before: TestCase, after: TestCase): string | null {
  const had = replacedIn(before);
  const isCalled = (name: string) =>
    [before, after].every(({ bare }) => new RegExp(`(?<![\\w$"'])${name}\\(`).test(bare));
  return replacedIn(after).find((name) => !had.includes(name) && isCalled(name)) ?? null;
}

const MOST_REPLACED = 20; // in one test

function replacedIn({ code }: TestCase): string[] {
  return Array.from(code.matchAll(REPLACES).take(MOST_REPLACED), ([, a, b, c]) => a ?? b ?? c ?? '');
}
