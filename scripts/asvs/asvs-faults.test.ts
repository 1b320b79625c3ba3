import { expect, it } from 'vitest';
import { asvsFaults } from './asvs-faults.ts';
import { asvsLevels } from './asvs-levels.ts';
import { testTitles } from './test-titles.ts';

const files: Readonly<Record<string, string>> = {
  'a.test.ts': "describe('a group', () => { it('keeps a_b | c', () => {}); it.each([1])('takes %s', () => {}); });",
  'docs/b.md': '# B\n',
};
const good = [
  '| 1.1.1 | L1 | one | met | `a.test.ts`: *keeps a\\_b \\| c* |',
  '| 1.1.2 | L2 | two | not applicable | There is no such thing here. |',
  '| 1.1.3 | L2 | three | met | [b](b.md#b)<br>`a.test.ts`: *takes %s* |',
];
const counts = '| L1 | 1 | 0 | 0 |\n| L2 | 1 | 1 | 0 |';
const levels = new Map([
  ['1.1.1', 1],
  ['1.1.2', 2],
  ['1.1.3', 2],
] as const);

function faultsOf(rows: readonly string[], summary = counts): string[] {
  const page = `# Page\n\n${summary}\n\n| id | level | asked | verdict | evidence |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  return asvsFaults({ levels, pagePath: 'docs/p.md', page, read: (path) => files[path] ?? null });
}

it('finds nothing wrong with a page that cites what is there', () => {
  expect(faultsOf(good)).toEqual([]);
});

it.each([
  ['| 1.1.2 | L2 | two | not applicable | No. |', 'docs/p.md:9: 1.1.2 is not applicable without a reason'],
  ['| 1.1.2 | L2 | two | not applicable | [b](b.md) |', 'docs/p.md:9: 1.1.2 is not applicable without a reason'],
  ['| 1.1.2 | L2 | two | met | It is so, believe me. |', 'docs/p.md:9: 1.1.2 is met without a test or a reference'],
  ['| 1.1.2 | L2 | two | done | [b](b.md) |', 'has the verdict "done"'],
  ['| 1.1.2 | L1 | two | not applicable | There is no such thing. |', '1.1.2 is of level 2, not L1'],
  ['| 1.1.2 | L2 | | not applicable | There is no such thing. |', '1.1.2 does not say what is asked'],
  ['| 1.1.2 | L2 | two | met | `b.test.ts`: *takes %s* |', 'cites b.test.ts, which is not there'],
  ['| 1.1.2 | L2 | two | met | `a.test.ts`: *takes it* |', 'cites "takes it", which is not a test of a.test.ts'],
  ['| 1.1.2 | L2 | two | met | [c](c.md) |', 'links to c.md, which is not there'],
  ['| 1.1.9 | L2 | two | met | [b](b.md) |', '1.1.9 is not a requirement of level 1 or 2'],
  ['| 1.1.3 | L2 | again | met | [b](b.md) |', '1.1.3 is there twice'],
])('finds what is wrong with %s', (row, fault) => {
  const [first = '', , third = ''] = good;
  expect(faultsOf([first, row, third]).join('\n')).toContain(fault);
});

it('finds a requirement that is missing, and counts that are not those of the rows', () => {
  expect(faultsOf(good.slice(1))).toContain('docs/p.md: 1.1.1 is missing');
  expect(faultsOf(good, counts.replace('1', '2')).join('\n')).toContain('the counts are not those of the rows');
});

it('knows the 70 requirements of level 1 and the 183 of level 2', () => {
  const all = [...asvsLevels.values()];
  expect([all.filter((level) => level === 1).length, all.filter((level) => level === 2).length]).toEqual([70, 183]);
});

it('reads titles of tests, of tables of tests and of groups, and nothing else', () => {
  const template = ['`of $', '{name}`'].join('');
  const source = `describe.each([1])(${template}, () => { test.skipIf(no)("is one", f); say("is none"); });`;
  expect([...testTitles('x.test.ts', source)]).toEqual([template.slice(1, -1), 'is one']);
});
