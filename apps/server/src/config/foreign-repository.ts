import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * The root of the git repository that holds `folder`, unless it is the checkout of Sluice that `program` runs from; null in
 * no repository. Files of a repository are somebody's data: they must not configure Sluice (`SANDBOX=none`).
 */
export function foreignRepository(folder: string, program = process.argv[1]): string | null {
  const root = repositoryRoot(realpathSync(folder));
  return root === null || (program !== undefined && isProgramOf(root, realpathSync(program))) ? null : root;
}

function repositoryRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}

/** Whether the program belongs to the repository itself, and not to one of its dependencies. */
function isProgramOf(root: string, program: string): boolean {
  const path = relative(root, program).split(sep);
  return path[0] !== '..' && !path.includes('node_modules');
}
