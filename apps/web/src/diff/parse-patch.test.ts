import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PatchFile, parsePatch } from './parse-patch.ts';

let root: string;
let files: Map<string, PatchFile>;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const put = (path: string, content: string | Buffer) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
};
const lines = (count: number, prefix = 'line') =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i + 1}\n`).join('');

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-patch-'));
  git('init', '-q');
  put('plain.txt', lines(30));
  put('with space.txt', 'a\n');
  put('old-name.txt', lines(20, 'moved'));
  put('picture.bin', Buffer.from([0, 1, 2, 255]));
  put('run.sh', '#!/bin/sh\n');
  put('run b/run.sh', '#!/bin/sh\n');
  put('unended.txt', 'one\ntwo');
  put('gone/grün.txt', 'weg\n');
  put('tricky.txt', '-- a comment\nkept\n');
  put('windows.txt', 'one\r\ntwo\r\n');
  git('add', '-A');
  git('commit', '-qm', 'before');
  put('plain.txt', lines(30).replace('line 2\n', 'line two\n').replace('line 28\n', 'line 28\nline 28b\n'));
  put('with space.txt', 'b\n');
  git('mv', 'old-name.txt', 'new "name".txt');
  put('new "name".txt', lines(20, 'moved').replace('moved 3\n', 'moved three\n'));
  put('picture.bin', Buffer.from([0, 1, 2, 254]));
  chmodSync(join(root, 'run.sh'), 0o755);
  chmodSync(join(root, 'run b/run.sh'), 0o755);
  put('unended.txt', 'one\ntwo\n');
  rmSync(join(root, 'gone'), { recursive: true });
  put('tricky.txt', '++ b/forged.txt\nkept\ndiff --git a/x b/x\n@@ -1 +1 @@\n');
  put('empty.txt', '');
  put('windows.txt', 'one\r\n2\r\n');
  put('tab\there/line\nbreak.txt', 'new\n');
  git('add', '-A');
  git('commit', '-qm', 'after');
  const patch = git('diff-tree', '-p', '-r', '--find-renames', 'HEAD~1', 'HEAD');
  files = new Map(
    parsePatch(`# a note of somebody\n${patch}# The rest is not shown.\n`).map((file) => [file.path, file]),
  );
});
afterAll(() => rmSync(root, { recursive: true }));

const file = (path: string) => {
  const found = files.get(path);
  if (found === undefined) throw new Error(`${path} is not among ${[...files.keys()].join(', ')}`);
  return found;
};
const numbered = (path: string) =>
  file(path).hunks.flatMap((hunk) =>
    hunk.lines.map(({ kind, text, oldLine, newLine }) => [kind, oldLine, newLine, text] as const),
  );

it('finds every file of the patch, whatever is in its name', () => {
  expect([...files.keys()].toSorted()).toEqual(
    [
      'empty.txt',
      'gone/grün.txt',
      'new "name".txt',
      'picture.bin',
      'plain.txt',
      'run b/run.sh',
      'run.sh',
      'tab\there/line\nbreak.txt',
      'tricky.txt',
      'unended.txt',
      'windows.txt',
      'with space.txt',
    ].toSorted(),
  );
});

it('numbers the lines of both sides in each hunk', () => {
  expect(file('plain.txt').hunks).toHaveLength(2);
  expect(numbered('plain.txt').filter(([kind]) => kind !== 'same')).toEqual([
    ['deleted', 2, null, 'line 2'],
    ['added', null, 2, 'line two'],
    ['added', null, 29, 'line 28b'],
  ]);
  expect(numbered('plain.txt').at(-1)).toEqual(['same', 30, 31, 'line 30']);
});

it('reads renames, modes, binary files, and files that were added or deleted', () => {
  expect(file('new "name".txt')).toMatchObject({ change: 'renamed', from: 'old-name.txt' });
  expect(file('run.sh')).toMatchObject({ change: 'changed', mode: { old: '100644', new: '100755' }, hunks: [] });
  expect(file('run b/run.sh').mode).toEqual({ old: '100644', new: '100755' });
  expect(file('picture.bin')).toMatchObject({ isBinary: true, hunks: [] });
  expect(file('gone/grün.txt')).toMatchObject({ change: 'deleted' });
  expect(numbered('gone/grün.txt')).toEqual([['deleted', 1, null, 'weg']]);
  expect(file('empty.txt')).toMatchObject({ change: 'added', hunks: [] });
  expect(numbered('tab\there/line\nbreak.txt')).toEqual([['added', null, 1, 'new']]);
});

it('ends a hunk by its counts, so that a line cannot pass for a header', () => {
  expect(numbered('tricky.txt')).toEqual([
    ['deleted', 1, null, '-- a comment'],
    ['added', null, 1, '++ b/forged.txt'],
    ['same', 2, 2, 'kept'],
    ['added', null, 3, 'diff --git a/x b/x'],
    ['added', null, 4, '@@ -1 +1 @@'],
  ]);
});

it('marks the line that ends without a line break, and keeps carriage returns', () => {
  const last = file('unended.txt').hunks[0]?.lines.slice(1);
  expect(last?.map(({ kind, isUnended }) => [kind, isUnended])).toEqual([
    ['deleted', true],
    ['added', false],
  ]);
  expect(numbered('windows.txt')[2]).toEqual(['added', null, 2, '2\r']);
});

it('has the ids of the contents, which change with the content', () => {
  const { blobs } = file('plain.txt');
  expect(git('rev-parse', '--short=7', 'HEAD:plain.txt').trim()).toContain(blobs?.new.slice(0, 7));
  expect(file('run.sh').blobs).toBeNull();
});

it('reads a patch that was cut in the middle, and what is no patch', () => {
  const cut = parsePatch('diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b');
  expect(cut[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual(['a', 'b']);
  expect(parsePatch('')).toEqual([]);
  expect(parsePatch('not a patch\n@@ -1 +1 @@\n-a\n+b\n')).toEqual([]);
});
