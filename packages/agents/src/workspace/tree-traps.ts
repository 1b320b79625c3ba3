import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Finds the pipes and the like that a command left where git looks for `.gitignore` and `.gitattributes`: git would
 * wait for ever on one. Opens the folders that a command closed to us, as git would take what is in them for deleted.
 *
 * @returns their paths relative to the root
 */
export async function findTraps(root: string): Promise<readonly string[]> {
  const traps: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await openFolder(join(root, folder))) {
      const path = join(folder, entry.name);
      // Always ignored, so git does not go in there unless the repository insists; then the call's time-out holds.
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== '.git') folders.push(path);
      } else if (/^\.git(attributes|ignore)$/i.test(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) {
        traps.push(path);
      }
    }
  }
  return traps;
}

async function openFolder(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch {
    await chmod(path, 0o700);
    return readdir(path, { withFileTypes: true });
  }
}
