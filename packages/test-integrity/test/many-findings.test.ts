import { expect, it } from 'vitest';
import { changeFindings } from '../src/change-findings.ts';

const test = (at: number) => `it('${at}', () => {\n  expect(f(${at})).toBe(${at});\n});\n`;

function skipped(count: number) {
  const before = Array.from({ length: count }, (_, at) => test(at)).join('\n');
  return changeFindings({
    files: [{ path: 'a.test.js', before, after: before.replaceAll('it(', 'it.skip(') }],
    planned: [],
  });
}

it('lists a hundred findings, and says how many more there are', () => {
  const found = skipped(123);
  expect(found).toHaveLength(101);
  expect(found.at(-1)).toEqual({
    kind: 'not_compared',
    path: 'a.test.js',
    line: null,
    detail: '23 more findings in 1 file are not listed: see the diff.',
  });
});

it('says nothing of more where all are listed', () => {
  expect(skipped(100).filter(({ kind }) => kind !== 'test_skipped')).toEqual([]);
});
