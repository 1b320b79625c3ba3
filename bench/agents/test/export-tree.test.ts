import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runGit } from '../src/repo/task-repo.ts';
import { exportTree } from '../src/task/export-tree.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-export-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('writes the files of a commit as they are stored, whatever attributes, filters and hooks say', () => {
  const clone = mkdtempSync(join(root, 'clone-'));
  const files = {
    '.gitattributes': 'tests export-ignore\nversion.txt export-subst ident\n*.bin filter=shout\n*.bat eol=crlf\n',
    'version.txt': '$Format:%H$ $Id$\n',
    'a.bin': 'quiet\n',
    'run.bat': 'echo\n',
    tests: 'they are part of the tree\n',
  };
  runGit(clone, 'init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
  symlinkSync('version.txt', join(clone, 'link'));
  runGit(clone, 'add', '-A');
  runGit(clone, 'commit', '-q', '-m', 'All of it');
  runGit(clone, 'config', 'filter.shout.smudge', 'tr a-z A-Z');
  runGit(clone, 'config', 'filter.shout.clean', 'cat');
  runGit(clone, 'config', 'filter.shout.required', 'true');
  const called = join(root, 'called');
  writeFileSync(join(clone, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${called}\n`, { mode: 0o755 });

  const folder = join(root, 'tree');
  exportTree(clone, runGit(clone, 'rev-parse', '--short', 'HEAD').trim(), folder);
  expect(readdirSync(folder).sort()).toEqual([...Object.keys(files), 'link'].sort());
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text);
  expect(readlinkSync(join(folder, 'link'))).toBe('version.txt');
  expect(existsSync(called)).toBe(false);
  expect(runGit(clone, 'status', '--porcelain')).toBe('');
  expect(() => exportTree(clone, 'abcdef0', folder)).toThrow(`${clone} does not hold the whole commit abcdef0`);
});
