import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findToolchains } from './toolchains.ts';

let base: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp('/tmp/sluice-tools-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function program(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\n', { mode: 0o755 });
  return dirname(path);
}
const find = (path: string[], more: { readPaths?: string[]; hideRoots?: string[]; serviceFolders?: string[] } = {}) =>
  findToolchains({ path: path.join(':'), readPaths: [], hideRoots: [], serviceFolders: [], ...more });

test('finds the real installation of a program on PATH', async () => {
  const bin = await program(join(base, 'versions/node/v24/bin/node'));
  await program(join(base, 'versions/node/v24/lib/node_modules/npm/bin/npm-cli.js'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'));
  await symlink('v24', join(base, 'versions/node/current'));
  const found = await find([join(base, 'versions/node/current/bin')]);
  expect(found.readPaths).toEqual([join(base, 'versions/node/v24')]);
  expect(found.path.split(':')[0]).toBe(bin);
});

test("finds the folder above a shim, and sets the shims' variables", async () => {
  const shims = await program(join(base, 'home/.pyenv/shims/python3'));
  const found = await find([shims]);
  expect(found.readPaths).toEqual([join(base, 'home/.pyenv')]);
  expect(found.environment).toEqual({ PYENV_ROOT: join(base, 'home/.pyenv') });
});

test('finds only the programs in a folder that also holds secrets', async () => {
  const cargo = await program(join(base, 'home/.cargo/bin/cargo'));
  await program(join(base, 'home/.rustup/toolchains/stable/bin/cargo'));
  const local = await program(join(base, 'home/.local/bin/uv'));
  const found = await find([cargo, local]);
  expect(found.readPaths).toEqual([cargo, local, join(base, 'home/.rustup')].sort());
});

test("finds a user's global packages, but not the other files of their folder", async () => {
  const prefix = join(base, 'user/.local');
  const bin = await program(join(prefix, 'bin/uv'));
  await program(join(prefix, 'lib/node_modules/pnpm/bin/pnpm.cjs'));
  await program(join(prefix, 'share/keyrings/login.keyring'));
  await symlink('../lib/node_modules/pnpm/bin/pnpm.cjs', join(bin, 'pnpm'));
  const found = await find([bin]);
  expect(found.readPaths).toEqual([bin, join(prefix, 'lib/node_modules')]);
  expect(found.path.split(':')[0]).toBe(bin);
});

test('protects the home of a user that is not in /etc/passwd', async () => {
  const home = join(base, 'of-a-directory-service/someone');
  const bin = await program(join(home, 'bin/go'));
  vi.stubEnv('HOME', home);
  try {
    expect((await find([bin], { readPaths: [home] })).readPaths).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('never returns a home folder, the root, a system folder, or one that overlaps a hidden one', async () => {
  const bin = await program(join(base, 'data/tools/bin/go'));
  expect((await find([bin], { hideRoots: [join(base, 'data')] })).readPaths).toEqual([]);
  expect((await find([bin], { hideRoots: [join(base, 'data/tools/bin/deep')] })).readPaths).toEqual([]);
  const link = join(base, 'link');
  await symlink(join(base, 'data'), link);
  expect((await find([bin], { hideRoots: [link] })).readPaths).toEqual([]);
  const asked = await find([], {
    readPaths: ['/', '/root', '/etc', '/home', '/proc', join(base, 'absent'), '/usr/lib'],
  });
  expect(asked.readPaths).toEqual([]);
  expect(asked.refused).toHaveLength(6);
});

test("removes from PATH the entries that a package manager added for the service's scripts", async () => {
  const own = await program(join(base, 'app/node_modules/.bin/node'));
  const found = await find([own, '/usr/bin']);
  expect(found.readPaths).toEqual([]);
  expect(found.path).toBe('/usr/bin:/usr/local/bin:/bin');
});

test('always includes the usual folders, and no folder inside another', async () => {
  const found = await find([], { readPaths: [base, join(base, 'versions')] });
  expect(found.readPaths).toEqual([base]);
  expect(found.path).toBe('/usr/local/bin:/usr/bin:/bin');
});

test("finds only the folder of the programs inside the service's folder", async () => {
  const app = join(base, 'opt-app');
  const bin = await program(join(app, 'bin/node'));
  const found = await find([bin], { serviceFolders: [app] });
  expect(found).toMatchObject({ readPaths: [bin], covered: [] });
  expect(found.path.split(':')[0]).toBe(bin);
  const beside = await find([bin], { serviceFolders: [bin] });
  expect(beside).toMatchObject({ readPaths: [app, join(bin, 'node')], covered: [bin] });
  expect(beside.path.split(':')[0]).toBe(bin);
  const asked = await find([], { serviceFolders: [app], readPaths: [app] });
  expect(asked).toMatchObject({ readPaths: [], refused: [expect.stringContaining('service runs from')] });
});

test("covers the service's folder inside an installation, and finds an installation inside it", async () => {
  const prefix = join(base, 'nvm/v24');
  const bin = await program(join(prefix, 'bin/node'));
  const own = join(prefix, 'share/sluice');
  const vendored = await program(join(own, 'vendor/go/bin/go'));
  const found = await find([bin, vendored], { serviceFolders: [own] });
  expect(found).toMatchObject({ readPaths: [prefix, join(own, 'vendor/go')], covered: [own] });
  expect(found.path.split(':').slice(0, 2)).toEqual([bin, vendored]);
});

test('hides no folder that commands need, wherever the service runs', async () => {
  const serviceFolders = ['/', '/usr', '/usr/bin', '/usr/local', '/usr/local/bin', '/opt', '/root', '/usr/lib', base];
  const found = await find([], { serviceFolders, readPaths: [join(base, 'versions')] });
  expect(found.covered).toEqual([]);
  expect(found.readPaths).toEqual([join(base, 'versions')]);
});
