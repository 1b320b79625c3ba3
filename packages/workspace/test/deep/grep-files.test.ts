import { expect, test } from 'vitest';
import { writeFiles } from '../../src/git/test/scratch.ts';
import { query } from '../../src/worktree/test/grep-files-scene.ts';
import { never, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/grep-files.test.ts

test('gives no more than asked for of thousands of matches, and of lines with a million', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`many/${n}`, 'a\n'.repeat(10_000)]));
  await writeFiles(workspace.root, many);
  const cut = await workspace.files.grep(query('a', { path: 'many', limit: 50 }), never);
  expect([cut.lines.length, cut.truncated]).toEqual([50, true]);
  await writeFiles(workspace.root, { 'dense/1': 'a'.repeat(1_000_000), 'dense/2': 'ab\n' });
  const dense = await workspace.files.grep(query('a', { path: 'dense' }), never);
  expect(dense).toEqual({ lines: [{ path: 'dense/2', line: 1, text: 'ab', isMatch: true }], truncated: true });
});
