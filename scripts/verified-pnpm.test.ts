import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const TARBALL = 'what the registry gives';
const digest = createHash('sha512').update(TARBALL).digest('hex');
/** An npm whose registry gives that tarball, and which tells what it was asked to do. */
const NPM = `#!/bin/sh
echo "npm $1" >> "$CALLS"
for last; do if [ "$previous" = --pack-destination ]; then to=$last; elif [ "$previous" = --prefix ]; then to=$last; fi; previous=$last; done
case $1 in
  pack) printf '%s' '${TARBALL}' > "$to/pnpm-10.0.0.tgz" ;;
  install) mkdir -p "$to/node_modules/.bin" && printf '#!/bin/sh\\necho "pnpm $*" >> "$CALLS"\\n' > "$to/node_modules/.bin/pnpm" && chmod +x "$to/node_modules/.bin/pnpm" ;;
esac
`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-bootstrap-'));
  for (const folder of ['bin', 'scripts', 'node_modules/.bin']) mkdirSync(join(root, folder), { recursive: true });
  const programs = [
    'bootstrap',
    'console-stamp',
    'files-stamp',
    'held-lock',
    'platform-words',
    'verified-pnpm',
    'pnpm',
  ];
  for (const name of programs.map((program) => `${program}.mjs`)) {
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(root, 'scripts', name));
  }
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(join(root, name), '');
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  writeFileSync(join(root, 'bin/npm'), NPM);
  chmodSync(join(root, 'bin/npm'), 0o755);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(script: string, packageManager: string, ...args: string[]) {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ packageManager }));
  const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, CALLS: join(root, 'calls') };
  return spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { env, encoding: 'utf8' });
}

function calls(): string[] {
  const file = join(root, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

it('installs with the pnpm whose tarball has the hash in package.json, and downloads it once', () => {
  const packageManager = `pnpm@10.0.0+sha512.${digest}`;
  const { status, stderr } = run('bootstrap.mjs', packageManager);
  expect(status, stderr).toBe(0);
  expect(calls()).toEqual(['npm pack', 'npm install', 'pnpm install --frozen-lockfile']);
  expect(run('pnpm.mjs', packageManager, 'add', 'x').status).toBe(0);
  expect(calls().slice(3)).toEqual(['pnpm add x']);
});

it('runs nothing of a pnpm with another hash, and says so', () => {
  const wanted = '0'.repeat(128);
  for (const script of ['bootstrap.mjs', 'pnpm.mjs']) {
    const { status, stderr } = run(script, `pnpm@10.0.0+sha512.${wanted}`);
    expect(status).toBe(1);
    expect(stderr).toContain('What the registry gave for pnpm@10.0.0 is not what package.json names');
    expect(stderr).toContain(`wanted  sha512 ${wanted}`);
    expect(stderr).toContain(`found   sha512 ${digest}`);
  }
  expect(calls()).toEqual(['npm pack', 'npm pack']);
});

it('downloads nothing where package.json names no hash', () => {
  const { status, stderr } = run('bootstrap.mjs', 'pnpm@10.0.0');
  expect([status, stderr]).toEqual([1, expect.stringContaining('it has to be pnpm@VERSION+sha512.HASH')]);
  expect(calls()).toEqual([]);
});
