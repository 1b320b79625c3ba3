import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownCommit } from './own-commit.ts';

it('tells the commit of the checkout that runs, and of no other repository around a build', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sluice-commit-'));
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const program = join(root, 'apps/server/src/main.ts');
  expect(await ownCommit(program)).toBeNull();
  git('init', '--quiet');
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  expect(await ownCommit(program)).toBe(git('rev-parse', 'HEAD'));
  expect(await ownCommit(join(root, 'dist/server.js'))).toBeNull();
  rmSync(root, { recursive: true });
});
