import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files that are in no build. */
const WITHOUT = /^(node_modules|dist|test|bench|README\.md)$|\.test\.tsx?$/;

/** The files at and below some paths, in a fixed order. A path that does not exist is left out. */
export function listFiles(root, paths) {
  const found = [];
  const add = (folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (WITHOUT.test(entry.name)) continue;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) add(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue;
    if (statSync(join(root, path)).isDirectory()) add(path);
    else found.push(path);
  }
  return found;
}

/** A hash of the names and contents of files, and of what else counts. */
export function filesStamp(root, files, more = '') {
  const hash = createHash('sha256').update(`${more}\n`);
  for (const path of files) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
