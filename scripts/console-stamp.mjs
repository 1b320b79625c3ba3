// Tells whether the console is built from the sources as they are, in a few milliseconds: every `npm start` asks. Plain
// JavaScript, because it runs before Node 24 is there.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the built console depends on. Types are not in it: the build removes them. What `apps/web` imports of the client it
 * imports from the sources, and everything else comes with the lockfile.
 */
const SOURCES = ['apps/web', 'packages/client/package.json', 'packages/client/src', 'pnpm-lock.yaml', 'scripts/build'];

/** Folders and files that do not change what is built. */
const WITHOUT = /^(node_modules|dist|test|bench|README\.md)$|\.test\.tsx?$/;

/** A hash of the names and contents of the sources. */
export function consoleStamp(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const entry = join(root, path);
    if (!statSync(entry).isDirectory()) {
      const content = readFileSync(entry);
      hash.update(`${path} ${content.length}\n`).update(content);
      return;
    }
    for (const name of readdirSync(entry).sort()) if (!WITHOUT.test(name)) add(`${path}/${name}`);
  };
  for (const path of SOURCES) if (existsSync(join(root, path))) add(path);
  return hash.digest('hex');
}

/** Whether what is in `apps/web/dist` was built from the sources as they are. */
export function isConsoleBuilt(root) {
  const record = join(root, 'apps/web/dist/.built.json');
  return existsSync(record) && JSON.parse(readFileSync(record, 'utf8')).stamp === consoleStamp(root);
}
