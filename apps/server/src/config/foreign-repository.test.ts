import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { foreignRepository } from './configuration-sources.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice folder ')));
});

afterEach(() => rmSync(folder, { recursive: true }));

function file(path: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '');
  return join(folder, path);
}

it('finds the repository above a folder, and none where there is none', () => {
  const program = file('sluice/main.js');
  file('shop/.git/HEAD');
  file('shop/src/index.js');
  expect(foreignRepository(join(folder, 'shop/src'), program)).toBe(join(folder, 'shop'));
  expect(foreignRepository(folder, program)).toBeNull();
});

it('finds the repository of a worktree or submodule, whose .git is a file', () => {
  file('shop/.git');
  expect(foreignRepository(join(folder, 'shop'), file('main.js'))).toBe(join(folder, 'shop'));
});

it('takes the checkout that the program runs from for its own, also through a link, and not one that only installed it', () => {
  file('sluice/.git/HEAD');
  const program = file('sluice/apps/cli/src/main.ts');
  symlinkSync(program, join(folder, 'link'));
  expect(foreignRepository(join(folder, 'sluice'), join(folder, 'link'))).toBeNull();
  const installed = file('sluice/node_modules/sluice/main.js');
  expect(foreignRepository(join(folder, 'sluice'), installed)).toBe(join(folder, 'sluice'));
});
