import { expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

it.each([
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['{"a": "one\ntwo\t"}', { a: 'one\ntwo\t' }],
  ['{"a": [1, 2,], "b": True, "c": None,}', { a: [1, 2], b: true, c: null }],
  ['{"a": "say \\"True,]\\""}', { a: 'say "True,]"' }],
  ['{"a": "half a', null],
  ['{"a": "half a\\', null],
])('reads %j', (text, expected) => {
  expect(repairJson(text)).toEqual(expected);
});

it('gives up a text that broke off in as much time as it takes for a whole one, however long it is', () => {
  for (const characters of [40_000, 1_000_000]) {
    const half = `{"content": "${'{\\"a\\": 1}, '.repeat(characters / 11)}`;
    expect(repairJson(half)).toBeNull();
    expect(shortest(() => repairJson(half))).toBeLessThan(20 * shortest(() => repairJson(`${half}", }`)) + 20);
  }
});

/** The shortest of several runs: the machine may be busy with something else. */
function shortest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
