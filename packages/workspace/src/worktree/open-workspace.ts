import type { RepoAccess, Workspace, WorkspaceRequest } from '@sluice/core';
import type { RemotePolicy } from '../git/reach-remote.ts';
import { type Author, commitTree, findMade } from './commit-tree.ts';
import { diffTree } from './diff-tree.ts';
import { mixTree } from './mix-tree.ts';
import { putBack, type TreeContext } from './prepare-tree.ts';
import { pushBranch } from './push-branch.ts';
import { listBlobs, readBlobs } from './read-blobs.ts';
import { restoreTree } from './restore-tree.ts';
import { saveTree } from './save-tree.ts';
import { listFiles, listIgnored, listIgnoredFolders, type WorkingTree, withSnapshot } from './working-tree.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

export interface OpenWorkspaceContext {
  readonly tree: TreeContext;
  readonly repo: RepoAccess;
  readonly issueId: WorkspaceRequest['issueId'];
  readonly baseBranch: string;
  readonly policy: RemotePolicy;
  readonly author: Author;
  readonly unfinished: string;
  readonly pushTimeoutMs: number;
  readonly cloneBytes: number;
  /** Runs a change of the cache's refs, alone. */
  locked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** The working tree of one issue, prepared and whole. */
export function openWorkspace(context: OpenWorkspaceContext, found: { base: string; treeId: string }): Workspace {
  const { base: baseCommit, treeId } = found;
  const { repo, issueId, baseBranch, policy, author, locked } = context;
  const { git, paths, cache, branch, uid } = context.tree;
  const tree: WorkingTree = { git, paths, baseCommit, withoutNested: new Set() };
  let latest: { readonly treeId: string; readonly change: Awaited<ReturnType<typeof diffTree>> } | null = null;
  const changeTo = async (treeId: string, signal: AbortSignal) => {
    if (latest?.treeId !== treeId) latest = { treeId, change: await diffTree(tree, treeId, signal) };
    return latest.change;
  };
  const blobPlace = { git, gitDir: paths.gitDir };
  return {
    issueId,
    repoId: repo.repoId,
    treeId,
    root: paths.tree,
    gitDir: cache,
    branch,
    baseCommit,
    files: createWorkspaceFiles({
      root: paths.tree,
      unfinished: context.unfinished,
      uid,
      list: (signal) => listFiles(tree, signal),
      ignoredFolders: (signal) => listIgnoredFolders(tree, signal),
      ignored: (paths) => listIgnored(tree, paths),
    }),
    diff: (signal) =>
      withSnapshot(tree, signal, async (snapshot) => ({
        base_commit: baseCommit,
        head_commit: await findMade({ tree, issueId }, snapshot.treeId, signal),
        ...(await changeTo(snapshot.treeId, signal)),
      })),
    blobs: (signal) => listBlobs(blobPlace, baseCommit, signal),
    readBlobs: (blobs, signal) => readBlobs(blobPlace, blobs, signal),
    commit: (request) => commitTree({ tree, cache, issueId, branch, author, locked }, request),
    checkpoint: (signal) => saveTree({ tree, cache, issueId, locked }, signal),
    reset: (signal) => putBack(context.tree, baseCommit, signal),
    restore: (checkpoint, signal) =>
      restoreTree({ tree, cache, issueId, branch, locked, place: context.tree }, checkpoint, signal),
    mix: (mixed, signal) => mixTree(context.tree, mixed, signal),
    push: (headCommit, signal, beforeWrite) =>
      pushBranch(
        {
          ...{ tree, issueId, branch, baseBranch, locked, policy, repo },
          timeoutMs: context.pushTimeoutMs,
          beforeWrite,
          clone: { path: cache, maxBytes: context.cloneBytes },
        },
        headCommit,
        signal,
      ),
  };
}
