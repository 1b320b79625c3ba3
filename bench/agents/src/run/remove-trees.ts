import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Each is the whole repository once more: kept, a run of a large one would fill the disk. */
const TREES = ['files', 'base', 'repo', 'tree', 'graded', 'base-tree'];

/** Removes the working trees and repositories from the folder of a trial that is over. What tells of it stays. */
export function removeTrees(folder: string): void {
  for (const tree of TREES) rmSync(join(folder, tree), { recursive: true, force: true });
}
