import { type AbsentContent, renderPaths } from '@sluice/core/workspace';

/** Sentences about what of the commit is not in the tree; none where all of it is. */
export function renderAbsent({ lfsFiles, submodules }: AbsentContent): string[] {
  const lfs =
    lfsFiles.count === 1
      ? '1 file is stored in Git LFS, and is a pointer'
      : `${lfsFiles.count} files are stored in Git LFS, and are pointers`;
  const modules =
    submodules.count === 1
      ? '1 submodule is not fetched, and is an empty folder'
      : `${submodules.count} submodules are not fetched, and are empty folders`;
  return [
    ...(lfsFiles.count === 0 ? [] : [`${lfs} here: ${renderPaths(lfsFiles)}.`]),
    ...(submodules.count === 0 ? [] : [`${modules} here: ${renderPaths(submodules)}.`]),
  ];
}
