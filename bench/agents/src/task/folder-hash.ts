import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A hash over all files below a folder: their paths, their content, and whether they can be executed. */
export function folderHash(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const { entry, path } of entries) {
    const content = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    const kind = entry.isSymbolicLink() ? 'link' : (statSync(path).mode & 0o111) === 0 ? 'file' : 'program';
    hash.update(`${relative(folder, path)}\0${kind}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
