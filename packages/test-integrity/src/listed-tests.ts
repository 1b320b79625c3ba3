import type { TestCase } from './test-case.ts';

const NAMED = 3; // enough to recognize them

/** The names of some tests, for a sentence. */
export function listedTests(tests: readonly TestCase[]): string {
  const more = tests.length > NAMED ? ` and ${tests.length - NAMED} more` : '';
  return `${tests
    .slice(0, NAMED)
    .map(({ name }) => `"${name}"`)
    .join(', ')}${more}`;
}
