import { AppError } from '@sluice/core/error';
import type { Workspace } from '@sluice/core/workspace';
import { expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';

type Texts = Readonly<Record<string, string>>;

const KB = 1_024;

/** A working tree with the texts at the base and at the head; one that starts with NUL is binary at the head. */
async function compared(base: Texts, head: Texts) {
  const refused = () => Promise.reject(new AppError('tool_refused', { detail: 'it is binary' }));
  const workspace = {
    blobs: async () => Object.entries(base).map(([path, text]) => ({ path, blob: path, bytes: text.length })),
    async *readBlobs(blobs: readonly string[]) {
      for (const blob of blobs) yield { blob, content: Buffer.from(base[blob] ?? '') };
    },
    files: {
      list: async () => Object.keys(head),
      read: (path: string) => (head[path]?.startsWith('\0') === false ? Promise.resolve(head[path]) : refused()),
    },
  } as unknown as Workspace;
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])];
  const files = paths.map((path) => ({ path, additions: 1, deletions: 1 }));
  const change = { base_commit: 'a', head_commit: 'b', files, diff: '' };
  const { signal } = new AbortController();
  return changedFiles(workspace, change, { first: (path) => path.startsWith('test'), signal });
}

it('reads the files of a change at the base and at the head', async () => {
  expect(await compared({ 'a.js': '1', gone: '2' }, { 'a.js': '3', 'new.js': '4' })).toEqual({
    files: [
      { path: 'a.js', before: '1', after: '3' },
      { path: 'gone', before: '2', after: null },
      { path: 'new.js', before: null, after: '4' },
    ],
    leftOut: [],
  });
});

it('says of a file that is no text what became of it', async () => {
  const none = { before: null, after: null };
  expect(await compared({ a: '\0', b: '\0', c: '\0' }, { a: '\0', c: 'text', d: '\0' })).toEqual({
    files: [
      { path: 'a', ...none, binary: 'changed' },
      { path: 'b', ...none, binary: 'gone' },
      { path: 'c', before: null, after: 'text', binary: 'changed' },
      { path: 'd', ...none, binary: 'new' },
    ],
    leftOut: [],
  });
});

it.each<[string, Texts, Texts]>([
  ['was too large', { 'test.js': 'x'.repeat(513 * KB) }, { 'test.js': 'x' }],
  ['was too large and is gone', { 'test.js': 'x'.repeat(513 * KB) }, {}],
  ['is too large', { 'test.js': 'x' }, { 'test.js': 'x'.repeat(513 * KB) }],
  ['is no longer text', { 'test.js': 'x' }, { 'test.js': '\0' }],
])('says that it left out a file that %s, and never takes it for a new or a deleted one', async (_what, base, head) => {
  expect(await compared(base, head)).toEqual({ files: [], leftOut: ['test.js'] });
});

it('reads the first files as far as they fit, and says which it left out', async () => {
  const large = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'test'].map((path) => [path, path.repeat(400 * KB).slice(0, 400 * KB)]),
  );
  const { files, leftOut } = await compared(large, large);
  expect(files.map(({ path }) => path)).toEqual(['test', 'a', 'b', 'c', 'd']);
  expect(leftOut).toEqual(['e']);
});
