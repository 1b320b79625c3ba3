import { NOTHING_TOUCHED, type TouchedTests } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { touchedTests } from './touched-tests.ts';

const JS = `import { describe, it } from 'node:test';

describe('sum', () => {
  it('adds', () => {
    assert.equal(sum(1, 2), 3);
  });

  it('is zero without numbers', () => {
    assert.equal(sum(), 0);
  });
});
`;
const TABLE = `it.each([[1, 2], [2, 4]])('doubles %i', (one, two) => {
  expect(double(one)).toBe(two);
});
`;
const LOOPED = `it.each(rows)('keeps %s', (row) => {
  expect(keep(row)).toBe(row);
});
`;
const PLAIN = `it('is zero', () => {
  expect(sum()).toBe(0);
});
`;
const PY = `class TestCart:
    def test_total(self):
        assert total() == 0

    def test_tax(self):
        assert tax() == 0
`;
const RS = `/// Adds.
///
/// \`\`\`
/// assert_eq!(shop::sum(1, 2), 3);
/// \`\`\`
pub fn sum(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(1, 1); }
}
`;
const second = JS.slice(JS.indexOf("\n  it('is zero"), JS.lastIndexOf('});'));

const changes: [string, Record<string, [string | null, string | null]>, TouchedTests][] = [
  ['touches none', { 'src/sum.js': ['a', 'b'], 'test/sum.test.js': [JS, JS] }, NOTHING_TOUCHED],
  [
    'removes one',
    { 'test/sum.test.js': [JS, JS.replace(second, '')] },
    { titles: ['is zero without numbers'], more: -1 },
  ],
  ['adds one', { 'test/sum.test.js': [JS.replace(second, ''), JS] }, { titles: [], more: 1 }],
  ['renames one', { 'test/sum.test.js': [JS, JS.replace('adds', 'sums')] }, { titles: ['adds'], more: 0 }],
  ['edits one', { 'test/sum.test.js': [JS, JS.replace('(1, 2), 3', '(1, 3), 4')] }, { titles: ['adds'], more: 0 }],
  [
    'skips one',
    { 'test/sum.test.js': [JS, JS.replace("it('adds'", "it.skip('adds'")] },
    { titles: ['adds'], more: -1 },
  ],
  [
    'renames a group',
    { 'test/sum.test.js': [JS, JS.replace("'sum'", "'the sum'")] },
    { titles: ['sum', 'adds', 'is zero without numbers'], more: 0 },
  ],
  [
    'deletes a file',
    { 'tests/test_cart.py': [PY, null] },
    { titles: ['TestCart', 'test_total', 'test_tax'], more: -2 },
  ],
  [
    'moves a file',
    { 'tests/test_cart.py': [PY, null], 'tests/shop/test_cart.py': [null, PY] },
    { titles: ['TestCart', 'test_total', 'test_tax'], more: 0 },
  ],
  ['deletes a file of helpers, which node:test runs', { 'test/helper.js': ['a', null] }, { titles: [], more: -1 }],
  ['edits such a file', { 'test/helper.js': ['a', 'b'], 'conftest.py': ['a', 'b'] }, NOTHING_TOUCHED],
  [
    'removes a test beside the code',
    { 'src/lib.rs': [RS, RS.replace('fn adds', 'fn sums')] },
    { titles: ['adds'], more: 0 },
  ],
  [
    'removes an example of the documentation',
    { 'src/lib.rs': [RS, RS.replaceAll('/// ```', '///')] },
    { titles: ['src/lib.rs - %s'], more: -1 },
  ],
  [
    'removes a row of a table, whose tests cannot be counted',
    { 'test/a.test.js': [TABLE, TABLE.replace(', [2, 4]', '')] },
    { titles: ['doubles %i'], more: null },
  ],
  [
    'removes a test of a group in a loop',
    {
      'test/a.test.js': [
        `describe('a', () => {\n  for (const one of [1, 2]) {\n    it('b', () => {});\n    it('c', () => {});\n  }\n});\n`,
        `describe('a', () => {\n  for (const one of [1, 2]) {\n    it('b', () => {});\n  }\n});\n`,
      ],
    },
    { titles: ['c'], more: null },
  ],
  [
    'removes a row of a table beside the test',
    { 'test/a.test.js': [`const rows = [1, 2];\n${LOOPED}${PLAIN}`, `const rows = [1];\n${LOOPED}${PLAIN}`] },
    { titles: ['keeps %s'], more: null },
  ],
  [
    'imports something beside a table',
    { 'test/a.test.js': [`${LOOPED}${PLAIN}`, `import a from 'a';\n${LOOPED}${PLAIN}${PLAIN.replace('is', 'was')}`] },
    { titles: [], more: 1 },
  ],
  ['leaves a table as it is', { 'test/a.test.js': [TABLE, `${TABLE}it('a', () => {});\n`] }, { titles: [], more: 1 }],
  [
    'edits a test of Python with a table',
    {
      'test_a.py': [
        '@pytest.mark.parametrize("a", [1])\ndef test_a(a):\n    assert a\n',
        'def test_b():\n    assert 1\n',
      ],
    },
    { titles: ['test_a'], more: null },
  ],
  ['edits a test in a language that is not read', { 'tests/sum.bats': ['a', 'b'] }, { titles: null, more: null }],
];

describe('what a change does to tests in the sources', () => {
  it.each(changes)('is found where it %s', (_what, files, expected) => {
    const changed = Object.entries(files).map(([path, [before, after]]) => ({ path, before, after }));
    expect(touchedTests(changed)).toEqual(expected);
  });
});
