import { join } from 'node:path';

/** The layout of all workspace files, under one folder that is closed to other users. */
export interface WorkspaceLayout {
  readonly root: string;
  readonly caches: string;
  readonly trees: string;
  readonly locks: string;
  /** The folder of things that are being deleted. Same file system as the rest, so getting there is a rename. */
  readonly trash: string;
  /** Files and caches that are being made, until they are renamed to their place. */
  readonly unfinished: string;
}

export function workspaceLayout(root: string): WorkspaceLayout {
  return {
    root,
    caches: join(root, 'caches'),
    trees: join(root, 'trees'),
    locks: join(root, 'locks'),
    trash: join(root, 'trash'),
    unfinished: join(root, 'unfinished'),
  };
}

/** The bare repository that a registration's issues share. */
export function cachePath(layout: WorkspaceLayout, repoId: string): string {
  return join(layout.caches, `${repoId}.git`);
}

/** An issue's working tree, and its part of the cache: HEAD, index and marks, out of the tree's reach. */
export function treePaths(layout: WorkspaceLayout, ids: { repoId: string; issueId: string }): TreePaths {
  return {
    tree: join(layout.trees, ids.issueId),
    gitDir: join(cachePath(layout, ids.repoId), 'worktrees', ids.issueId),
  };
}

export interface TreePaths {
  readonly tree: string;
  readonly gitDir: string;
}
