import { expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';
import { findInDiff } from './use-diff-search.ts';

const patch = (path: string, lines: readonly string[]) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,${lines.length} +1,${lines.length} @@\n${lines.map((line) => ` ${line}\n`).join('')}`;
const files = changedFiles({
  files: ['one', 'two'].map((path) => ({
    path,
    additions: 0,
    deletions: 0,
    in_plan: true,
    reason: null,
    guarded: null,
  })),
  diff: patch('one', ['Foo foo', 'nothing']) + patch('two', ['a.b [c] FOO']),
});

const found = (query: string) =>
  findInDiff(files, query).matches.map(({ file, line, start, end }) => [
    file,
    line.newLine,
    line.text.slice(start, end),
  ]);

it('finds every place in the order of the files', () => {
  expect(found('foo')).toEqual([
    [0, 1, 'Foo'],
    [0, 1, 'foo'],
    [1, 1, 'FOO'],
  ]);
});

it('minds capitals where the query has some', () => {
  expect(found('Foo')).toEqual([[0, 1, 'Foo']]);
});

it('takes the query as text, not as a pattern', () => {
  expect(found('a.b [')).toEqual([[1, 1, 'a.b [']]);
  expect(found('.*')).toEqual([]);
  expect(found('')).toEqual([]);
});

it('says when there are more places than it lists', () => {
  const many = changedFiles({
    files: [{ path: 'x', additions: 0, deletions: 0, in_plan: true, reason: null, guarded: null }],
    diff: patch('x', ['e'.repeat(10_001)]),
  });
  const { matches, isCut } = findInDiff(many, 'e');
  expect([matches.length, isCut]).toEqual([10_000, true]);
});
