import type { Workspace } from '@sluice/core/workspace';

/** Stands for the host's own folders in what an agent reads. */
const REPOSITORY = '<repository>';

/** The output of a command without the paths of this host, which git puts into its messages. */
export function withoutHostPaths(output: string, { root, gitDir }: Pick<Workspace, 'root' | 'gitDir'>): string {
  // A working tree's own part lies in `worktrees` of the git directory that all issues share.
  const [shared = gitDir] = gitDir.split('/worktrees/');
  return output
    .replaceAll(shared, REPOSITORY)
    .replaceAll(/<repository>\/worktrees\/[^/\s'"]+/g, REPOSITORY)
    .replaceAll(root, REPOSITORY);
}
