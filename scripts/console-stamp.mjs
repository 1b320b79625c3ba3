// Tells whether the console is built from the sources as they are, in a few milliseconds: every `npm start` asks. Plain
// JavaScript, because it runs before Node 24 is there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesStamp, listFiles } from './files-stamp.mjs';

/**
 * The sources of the built console. Types are not in it: the build removes them. `apps/web` imports the client from the
 * sources, and everything else comes with the lockfile.
 */
const SOURCES = ['apps/web', 'packages/client/package.json', 'packages/client/src', 'pnpm-lock.yaml', 'scripts/build'];

/** A hash of the names and contents of the sources. */
export const consoleStamp = (root) => filesStamp(root, listFiles(root, SOURCES));

/** Whether what is in `apps/web/dist` was built from the sources as they are. */
export function isConsoleBuilt(root) {
  const record = join(root, 'apps/web/dist/.built.json');
  return existsSync(record) && JSON.parse(readFileSync(record, 'utf8')).stamp === consoleStamp(root);
}
