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

it('leaves a URL unchanged', async () => {
  expect(await repoAddress('https://example.com/owner/name')).toBe('https://example.com/owner/name');
});

it('says that a folder is in no repository, and what to give for an SSH address', async () => {
  await expect(repoAddress(folder)).rejects.toThrow(`${folder} is not in a git repository. Make it one`);
  for (const given of ['git@github.com:acme/shop.git', 'ssh://git@github.com/acme/shop.git']) {
    await expect(repoAddress(given)).rejects.toThrow('try https://github.com/acme/shop.git');
  }
});

it('does not take an empty string as the current folder', async () => {
  await expect(repoAddress('')).rejects.toMatchObject({ code: exitCode.usage });
});

it('names the valid arguments when a folder does not exist', async () => {
  await expect(repoAddress(join(folder, 'none'))).rejects.toMatchObject({
    code: exitCode.usage,
    message: expect.stringMatching(
      /^There is no folder .*none: pass a folder of a repository, or an https:\/\/ URL\.$/,
    ),
  });
});
