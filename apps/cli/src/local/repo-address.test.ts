import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exitCode } from '../terminal/exit-code.ts';
import { repoAddress, repoReference } from './repo-address.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice address ')));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

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

it('takes owner/name as the name at the code host, unless a repository of that name is here', async () => {
  expect(await repoReference('acme/shop')).toEqual({ codehost_repo: 'acme/shop' });
  vi.stubEnv('INIT_CWD', folder);
  vi.stubEnv('npm_package_name', 'sluice');
  mkdirSync(join(folder, 'acme/shop'), { recursive: true });
  expect(await repoReference('acme/shop')).toEqual({ codehost_repo: 'acme/shop' });
  execFileSync('git', ['init', '-q', join(folder, 'acme/shop')]);
  await expect(repoReference('acme/shop')).rejects.toMatchObject({
    code: exitCode.usage,
    message: expect.stringContaining('Write ./acme/shop for the folder'),
  });
  expect(await repoReference('./acme/shop')).toEqual({ url: join(folder, 'acme/shop') });
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
