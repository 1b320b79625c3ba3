import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exitCode } from '../terminal/exit-code.ts';
import { repoAddress } from './repo-address.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice address ')));
});

afterEach(() => rmSync(folder, { recursive: true }));

it('finds the repository that a folder is in, from any of its folders and through a link', async () => {
  const repo = join(folder, 'shop');
  mkdirSync(join(repo, 'src/deep'), { recursive: true });
  execFileSync('git', ['init', '-q', repo]);
  symlinkSync(join(repo, 'src'), join(folder, 'link'));
  for (const given of [repo, `${repo}/`, join(repo, 'src/deep'), join(folder, 'link')]) {
    expect(await repoAddress(given)).toBe(repo);
  }
});

it('resolves a bare repository to itself, even inside another one', async () => {
  execFileSync('git', ['init', '-q', folder]);
  execFileSync('git', ['init', '-q', '--bare', join(folder, 'origin.git')]);
  expect(await repoAddress(join(folder, 'origin.git'))).toBe(join(folder, 'origin.git'));
});

it('leaves a folder outside a repository, and a URL, unchanged', async () => {
  expect(await repoAddress(folder)).toBe(folder);
  expect(await repoAddress('https://example.com/owner/name')).toBe('https://example.com/owner/name');
});

it('does not take an empty string as the current folder', async () => {
  await expect(repoAddress('')).rejects.toMatchObject({ code: exitCode.usage });
});

it('names the valid arguments when a folder does not exist', async () => {
  await expect(repoAddress(join(folder, 'none'))).rejects.toMatchObject({
    code: exitCode.usage,
    message: expect.stringMatching(/^There is no folder .*none: --repo must be a folder or an https:\/\/ URL\.$/),
  });
});
