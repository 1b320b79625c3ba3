import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownCommit } from './own-commit.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-commit-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('tells the commit of the checkout that runs, and of no other repository around a build', async () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const program = join(root, 'apps/server/src/main.ts');
  expect(await ownCommit(program)).toBeNull();
  git('init', '--quiet');
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  expect(await ownCommit(program)).toBe(git('rev-parse', 'HEAD'));
  expect(await ownCommit(join(root, 'dist/server.js'))).toBeNull();
});

it('tells the commit that the build wrote, also of a program that is called by a link', async () => {
  const [program, link] = [join(root, 'dist/sluice.js'), join(root, 'sluice')];
  mkdirSync(join(root, 'dist'));
  writeFileSync(program, '');
  symlinkSync(program, link);
  const write = (manifest: object) => writeFileSync(join(root, 'dist/package.json'), JSON.stringify(manifest));
  write({ name: 'sluice' });
  expect(await ownCommit(program)).toBeNull();
  const gitHead = '0123456789abcdef0123456789abcdef01234567';
  write({ name: 'sluice', gitHead });
  expect([await ownCommit(program), await ownCommit(link)]).toEqual([gitHead, gitHead]);
});
