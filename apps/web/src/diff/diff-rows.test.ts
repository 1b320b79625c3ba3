import { expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';
import { type DiffLayout, fileRows } from './diff-rows.ts';

const diff = `diff --git a/x b/x
old mode 100644
new mode 100755
index 1..2
--- a/x
+++ b/x
@@ -1,4 +1,5 @@
 a
-b
-c
+B
+C
+D
 e
`;
const entry = { path: 'x', additions: 3, deletions: 2, in_plan: true, reason: null, guarded: null };
const [file] = changedFiles({ files: [entry], diff });
const rows = (layout: DiffLayout) => (file === undefined ? [] : fileRows(file, 0, layout));

it('puts deleted lines beside the added lines in their place in the split layout', () => {
  const pairs = rows('split').flatMap((row) =>
    row.kind === 'pair' ? [[row.old?.text ?? null, row.new?.text ?? null, row.isFirstOfChange]] : [],
  );
  expect(pairs).toEqual([
    ['a', 'a', false],
    ['b', 'B', true],
    ['c', 'C', false],
    [null, 'D', false],
    ['e', 'e', false],
  ]);
});

it('knows the other version of each line in the unified layout', () => {
  const lines = rows('unified').flatMap((row) =>
    row.kind === 'line' ? [[row.line.text, row.other?.text ?? null]] : [],
  );
  expect(lines).toEqual([
    ['a', null],
    ['b', 'B'],
    ['c', 'C'],
    ['B', 'b'],
    ['C', 'c'],
    ['D', null],
    ['e', null],
  ]);
});

it('says what the lines do not show', () => {
  expect(rows('unified').slice(0, 2)).toMatchObject([
    { kind: 'note', text: 'The mode of the file was changed from 100644 to 100755.' },
    { kind: 'hunk' },
  ]);
  const [absent] = changedFiles({ files: [entry], diff: '' });
  expect(absent && fileRows(absent, 0, 'split')).toMatchObject([
    { kind: 'note', text: expect.stringContaining('too large') },
  ]);
});
