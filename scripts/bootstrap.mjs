// Makes the checkout ready to run, from nothing but Node 20 and npm: installs what the lockfile names (Node 24
// included) and, with --sandbox, the bubblewrap that commands run under, with --services the servers and the browser
// that tests start, with --console the console as it is built.
// When all is there it costs a few milliseconds. All it says goes to stderr: stdout belongs to the program that follows.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isConsoleBuilt } from './console-stamp.mjs';
import { takeLock } from './held-lock.mjs';
import { platformWords } from './platform-words.mjs';
import { verifiedPnpm } from './verified-pnpm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.sluice-installed');
const lockFile = join(modules, '.sluice-installing');
const node24 = join(modules, '.bin', 'node');

function say(line) {
  process.stderr.write(`sluice: ${line}\n`);
}

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
  });
  return error === undefined && status === 0;
}

function findOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function lockfileStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function isInstalled(stamp) {
  return existsSync(node24) && readIfThere(stampFile) === stamp;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function install(stamp) {
  say('installing dependencies with pnpm (once; the next start skips this)');
  let pnpm;
  try {
    pnpm = join(verifiedPnpm(root), 'pnpm');
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
    return;
  }
  if (!run(pnpm, ['install', '--frozen-lockfile'])) {
    say('the dependencies could not be installed; what pnpm said is above.');
    process.exitCode = 1;
    return;
  }
  if (!ensureNode24()) {
    say(
      `Node 24 did not come with the dependencies on ${process.platform}-${process.arch}. Install Node 24 and try again.`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(stampFile, stamp);
}

/**
 * Links the running Node, if it is new enough, where no prebuilt one comes with the dependencies (macOS).
 */
function ensureNode24() {
  if (!existsSync(node24) && Number.parseInt(process.versions.node, 10) >= 24) symlinkSync(process.execPath, node24);
  return existsSync(node24) && run(node24, ['-e', '']);
}

/** Installs a Debian package when one of its programs is missing and this user may. @returns whether it is there now */
function ensureProgram(program, debianPackage, purpose) {
  if (isThere(program)) return true;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const allowed = sudo.length === 0 || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!findOnPath('apt-get') || !allowed) return false;
  say(`${purpose}; installing it, without starting a service: ${[...sudo, byHand(debianPackage)].join(' ')}`);
  const [command, ...args] = [...sudo, 'sh', join(root, 'scripts/install-package.sh'), debianPackage];
  return run(command, args);
}

/** Debian installs the server programs of each Postgres version in a folder outside the PATH. */
function isThere(program) {
  if (program !== 'postgres') return findOnPath(program);
  const versions = '/usr/lib/postgresql';
  return (
    existsSync(versions) && readdirSync(versions).some((version) => existsSync(join(versions, version, 'bin/postgres')))
  );
}

function byHand(debianPackage) {
  return `apt-get install -y --no-install-recommends ${debianPackage}`;
}

function ensureSandbox() {
  if (process.env.SANDBOX === 'none') return;
  const { noSandbox } = platformWords(process.platform);
  if (noSandbox !== null) return say(noSandbox);
  if (ensureProgram('bwrap', 'bubblewrap', 'bubblewrap (bwrap) is missing and commands run inside it')) return;
  say("bubblewrap (bwrap) is missing: Sluice refuses to run a repository's commands without it.");
  say(
    `install it with "sudo ${byHand('bubblewrap')}" (Debian, Ubuntu), "dnf install bubblewrap" (Fedora) or "apk add bubblewrap" (Alpine).`,
  );
}

/** The servers that tests start for themselves, the browser that goes through sign-ins, and what the commands of docs/ call. */
function ensureServices() {
  const programs = [
    ['redis-server', 'redis-server'],
    ['postgres', 'postgresql'],
    ['chromium', 'chromium'],
    ['nginx', 'nginx-light'],
    ['curl', 'curl'],
    ['jq', 'jq'],
    ['openssl', 'openssl'],
  ];
  for (const [program, debianPackage] of programs) {
    if (ensureProgram(program, debianPackage, `${program} is missing and tests use it`)) continue;
    say(
      `${program} is missing: its tests will fail. Install it, e.g. with "sudo ${byHand(debianPackage)}", which may start it as a service.`,
    );
  }
}

/** The console, for commands that serve it. */
function ensureConsole() {
  if (isConsoleBuilt(root)) return;
  say('building the console (once; the next start skips this)');
  if (run(node24, [join(root, 'scripts/build-console.ts')])) return;
  say('the console could not be built; what failed is above.');
  process.exitCode = 1;
}

const { refusal } = platformWords(process.platform);
if (refusal !== null) {
  say(refusal);
  process.exit(1);
}
const stamp = lockfileStamp();
if (!isInstalled(stamp)) {
  // Two commands started at once must not install into the same folder: pnpm takes no lock.
  takeLock(lockFile);
  try {
    if (!isInstalled(stamp)) install(stamp);
  } finally {
    rmSync(lockFile, { force: true });
  }
}
if (process.exitCode === undefined && process.argv.includes('--sandbox')) ensureSandbox();
if (process.exitCode === undefined && process.argv.includes('--services')) ensureServices();
if (process.exitCode === undefined && process.argv.includes('--console')) ensureConsole();
