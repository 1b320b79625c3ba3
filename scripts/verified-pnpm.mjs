// pnpm as package.json names it, with its hash. npx would run whatever the registry answers today.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Downloads pnpm where it is not there yet, and unpacks it only when its tarball has the hash in package.json.
 *
 * @returns the folder with the program `pnpm`
 * @throws Error that says what is wrong and what to do
 */
export function verifiedPnpm(root) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, spec, wanted] = /^(pnpm@\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? [];
  if (wanted === undefined) {
    throw new Error(`"packageManager" in package.json is ${packageManager}: it has to be pnpm@VERSION+sha512.HASH.`);
  }
  const home = join(root, 'node_modules', '.sluice-pnpm');
  const kept = join(home, wanted.slice(0, 16));
  const programs = join(kept, 'node_modules', '.bin');
  if (existsSync(join(programs, 'pnpm'))) return programs;
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'new-'));
  try {
    npm(root, 'pack', spec, '--silent', '--ignore-scripts', '--pack-destination', folder);
    const [name] = readdirSync(folder);
    if (name === undefined) throw new Error(`npm has downloaded nothing for ${spec}.`);
    const tarball = join(folder, name);
    const found = createHash('sha512').update(readFileSync(tarball)).digest('hex');
    if (found !== wanted) throw new Error(refusal(spec, wanted, found));
    const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    npm(root, 'install', tarball, '--prefix', folder, '--ignore-scripts', '--offline', ...quiet);
    rmSync(tarball);
    rmSync(kept, { recursive: true, force: true });
    renameSync(folder, kept);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return programs;
}

function npm(cwd, ...args) {
  const { status, error } = spawnSync('npm', [...args, '--no-update-notifier'], { cwd, stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw new Error(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`\`npm ${args[0]} ${args[1]}\` failed; what npm said is above.`);
}

function refusal(spec, wanted, found) {
  return [
    `What the registry gave for ${spec} is not what package.json names: nothing of it was run.`,
    `  wanted  sha512 ${wanted}`,
    `  found   sha512 ${found}`,
    'See which registry npm uses (npm config get registry). After a change of the version, correct the hash.',
  ].join('\n');
}
