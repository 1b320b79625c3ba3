// Finds the bundled programs of this checkout, if they fit its sources: every `npm run demo`, `npm run sluice` and
// `npm start` asks. Plain JavaScript: it runs at each start, and Node would have to remove the types each time.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesStamp, listFiles } from './files-stamp.mjs';

/**
 * The sources of the programs' bundle. Packages of others come with the lockfile. The bundler reads the imports part of
 * the compiler's configuration.
 */
const SOURCES = [
  ...['apps/cli', 'apps/server', 'packages', 'scripts/build'],
  ...['scripts/build-programs.ts', 'scripts/files-stamp.mjs', 'scripts/programs-stamp.mjs'],
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'tsconfig.json'],
];

/** Where the bundles of a checkout are, each in a folder of its own. */
export const programsFolder = (root) => join(root, 'node_modules/.sluice-programs');

const recordOf = (root) => join(programsFolder(root), 'built.json');

/** The files of ours that count. */
export const programSources = (root) => listFiles(root, SOURCES);

/** A hash of the names and contents of the sources, of the place of the checkout and of the Node that runs this. */
export function programsStamp(root, sources = programSources(root)) {
  return filesStamp(root, sources, `${root} ${process.version} ${process.platform} ${process.arch}`);
}

/** The recorded state of a file in a package of others, which somebody may edit in its place. */
export function stateOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}

/** The folder of the bundle that was built from the sources as they are; null without one. */
export function findPrograms(root) {
  if (!existsSync(recordOf(root))) return null;
  const { folder, stamp, packageFiles } = JSON.parse(readFileSync(recordOf(root), 'utf8'));
  if (stamp !== programsStamp(root)) return null;
  const isAsBuilt = ([path, state]) => existsSync(join(root, path)) && stateOf(join(root, path)) === state;
  if (!Object.entries(packageFiles).every(isAsBuilt)) return null;
  return existsSync(join(programsFolder(root), folder)) ? join(programsFolder(root), folder) : null;
}
