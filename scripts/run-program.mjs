// Runs a program of this checkout, `server` or `sluice`, with the arguments that follow its name: from its bundle where
// that fits the sources, which starts in a quarter of the time, otherwise from the sources. With --build, it first bundles
// the programs where no bundle fits: reading the sources one by one takes longer than that.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { setSourceMapsSupport } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findPrograms } from './programs-stamp.mjs';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const SOURCES = { server: 'apps/server/src/main.ts', sluice: 'apps/cli/src/main.ts' };

function say(line) {
  process.stderr.write(`sluice: ${line}\n`);
}

/** The folder of the bundle; null when a file of ours cannot be read, as when somebody is just writing it. */
function fittingPrograms() {
  try {
    return findPrograms(root);
  } catch {
    return null;
  }
}

/** In a process of its own, whose memory is free again afterwards. */
function build() {
  try {
    accessSync(join(root, 'node_modules'), constants.W_OK);
  } catch {
    return; // a checkout that is only read runs its sources
  }
  say('bundling the programs (once; the next start skips this)');
  // In large pages, the bundler fills a gigabyte with zeros, which takes as long as its work.
  const env = { ...process.env, MIMALLOC_ALLOW_THP: '0' };
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-programs.ts')], {
    stdio: ['ignore', 2, 2],
    env,
  });
  if (status !== 0) say('the programs could not be bundled, so their sources run; what failed is above.');
}

/** Notes that this process uses the bundle, which may load more of it at any time: the next build leaves it there. */
function noteUse(folder) {
  const note = join(folder, `used-by-${process.pid}`);
  try {
    writeFileSync(note, '');
  } catch {
    return; // in a checkout that is only read, no build removes it
  }
  process.once('exit', () => rmSync(note, { force: true }));
}

const [first, ...others] = process.argv.slice(2);
const [name, ...args] = first === '--build' ? others : [first, ...others];
const source = join(root, SOURCES[name]);
let folder = fittingPrograms();
if (folder === null && first === '--build') {
  build();
  folder = fittingPrograms();
}
if (folder !== null) {
  noteUse(folder);
  setSourceMapsSupport(true, { nodeModules: true }); // stack traces name the sources; the bundle is below node_modules
}
// The program sees the path and the arguments that it would see without this one: it tells from its path where it is.
process.argv.splice(1, process.argv.length, source, ...args);
await import(pathToFileURL(folder === null ? source : join(folder, `${name}.js`)).href);
