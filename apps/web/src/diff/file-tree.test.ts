import { expect, it } from 'vitest';
import { fileTree } from './file-tree.ts';

it('puts files under their folders, and folders with nothing but a folder into one row', () => {
  const rows = fileTree(['README.md', 'src/deep/inside/a.ts', 'src/deep/inside/b.ts', 'src/deep/c.ts']);
  expect(
    rows.map((row) => `${'  '.repeat(row.depth)}${row.name}${row.kind === 'file' ? ` ${row.file}` : '/'}`),
  ).toEqual(['src/deep/', '  inside/', '    a.ts 1', '    b.ts 2', '  c.ts 3', 'README.md 0']);
});
