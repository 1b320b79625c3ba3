import { constants, type Dirent } from 'node:fs';
import { access, chmod, readdir } from 'node:fs/promises';
import { placeInTree } from './tree-place.ts';

/** Something in a tree that git must not meet. */
export interface TreeTrap {
  /** Absolute. */
  readonly place: Buffer;
  /** Which path it is and what is wrong with it, as the end of a sentence. */
  readonly what: string;
}

const LONGEST_PATH = 2_048; // with the root before it still a path that the system takes; deeper ones can be made step by step
const SHOWN = 200;

/**
 * Finds the pipes and the like that a command left where git looks for `.gitignore` and `.gitattributes`, as git would
 * wait for ever on one, and folders so deep that no path leads there. Opens the folders that a command closed to us, as
 * git would take what is in them for deleted.
 */
export async function findTraps(root: string): Promise<readonly TreeTrap[]> {
  const traps: TreeTrap[] = [];
  const top = Buffer.from(root);
  const trap = (place: Buffer, why: string): void => {
    traps.push({
      place,
      what: `"${place
        .subarray(top.length + 1)
        .toString()
        .slice(0, SHOWN)}" ${why}`,
    });
  };
  const folders: Buffer[] = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await openFolder(folder)) {
      const place = placeInTree(folder, entry.name);
      const name = entry.name.toString('latin1');
      // Always ignored, so git does not go in there unless the repository insists; then the call's time-out holds.
      if (entry.isDirectory()) {
        if (name === 'node_modules' || name === '.git') continue;
        if (place.length <= top.length + LONGEST_PATH) folders.push(place);
        else trap(place, 'is nested too deeply');
      } else if (/^\.git(attributes|ignore)$/i.test(name) && !entry.isFile() && !entry.isSymbolicLink()) {
        trap(place, 'is no regular file');
      }
    }
  }
  return traps;
}

/** As git cannot delete in a folder that may not be written either, such a one is opened as well. */
async function openFolder(path: Buffer): Promise<Dirent<Buffer>[]> {
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => chmod(path, 0o755));
  return readdir(path, { withFileTypes: true, encoding: 'buffer' });
}
