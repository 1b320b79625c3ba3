import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MixedTree, RepoAccess, Workspace, WorkspaceRequest } from '@sluice/core/workspace';
import type { RemotePolicy } from '../git/reach-remote.ts';
import { openBaseFiles } from './base-files.ts';
import { type Author, commitTree, findMade } from './commit-tree.ts';
import { diffMerge, diffTree } from './diff-tree.ts';
import { type MergedTree, mergeTrees } from './merge-trees.ts';
import { putBack, type TreeContext } from './prepare-tree.ts';
import { pushBranch } from './push-branch.ts';
import { indexEntries, rawChanges, SUBMODULE } from './raw-changes.ts';
import { listBlobs, readBlobs } from './read-blobs.ts';
import { besideIndex } from './read-diff.ts';
import { restoreTree } from './restore-tree.ts';
import { saveTree } from './save-tree.ts';
import { openTreeLfs } from './tree-lfs.ts';
import { bytesOf } from './tree-place.ts';
import { listFiles, listIgnored, listIgnoredFolders, type WorkingTree, withSnapshot } from './working-tree.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

export interface OpenWorkspaceContext {
  readonly tree: TreeContext;
  readonly repo: RepoAccess;
  readonly issueId: WorkspaceRequest['issueId'];
  readonly baseBranch: string;
  readonly mergeCommit: string | null;
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
  const { repo, issueId, baseBranch, mergeCommit, policy, author, locked } = context;
  const { git, paths, cache, branch, uid } = context.tree;
  const tree: WorkingTree = { git, paths, baseCommit, mergeCommit, withoutNested: new Set() };
  let merging: MergedTree | null = null;
  const merged = async (theirs: string, signal: AbortSignal) => {
    merging ??= await mergeTrees({ git, at: besideIndex(tree) }, { ours: baseCommit, theirs }, signal);
    return merging;
  };
  let latest: { readonly treeId: string; readonly change: Awaited<ReturnType<typeof diffTree>> } | null = null;
  const changeTo = async (treeId: string, signal: AbortSignal) => {
    if (latest?.treeId === treeId) return latest.change;
    const change =
      mergeCommit === null
        ? await diffTree(tree, treeId, signal)
        : await diffMerge(tree, { treeId, merged: await merged(mergeCommit, signal) }, signal);
    latest = { treeId, change };
    return change;
  };
  const mergesNothing = async (signal: AbortSignal) =>
    mergeCommit !== null && (await merged(mergeCommit, signal)).isContained;
  const start = async (signal: AbortSignal) =>
    mergeCommit === null ? baseCommit : (await merged(mergeCommit, signal)).treeId;
  const blobPlace = { git, gitDir: paths.gitDir };
  const lfs = openTreeLfs(tree, cache, {
    start,
    submodulesIn: async (commit, signal) =>
      (await context.tree.guard.admit({ ...blobPlace, commit, signal })).submodules,
  });
  return {
    issueId,
    repoId: repo.repoId,
    treeId,
    root: paths.tree,
    gitDir: cache,
    branch,
    baseCommit,
    merge: mergeCommit === null ? null : { commit: mergeCommit, outcome: (signal) => merged(mergeCommit, signal) },
    files: createWorkspaceFiles({
      root: paths.tree,
      unfinished: context.unfinished,
      uid,
      list: (signal) => listFiles(tree, signal),
      ignoredFolders: (signal) => listIgnoredFolders(tree, signal),
      ignored: (paths) => listIgnored(tree, paths),
      storedInLfs: (paths) => lfs.stored(paths),
    }),
    baseFiles: openBaseFiles(blobPlace, mergeCommit ?? baseCommit),
    diff: (signal) =>
      withSnapshot(tree, signal, async (snapshot) => ({
        base_commit: baseCommit,
        head_commit: await findMade({ tree, issueId }, snapshot.treeId, signal),
        ...(await changeTo(snapshot.treeId, signal)),
      })),
    blobs: (signal) => listBlobs(blobPlace, baseCommit, signal),
    readBlobs: (blobs, signal) => readBlobs(blobPlace, blobs, signal),
    absent: async (signal) => lfs.absentFrom(await start(signal), signal),
    lfsChange: (headCommit, signal) => lfs.changeTo(headCommit, signal),
    commit: (request) =>
      commitTree(
        { tree, cache, issueId, branch, author, mergesNothing, locked, refuseContent: lfs.refuseContent },
        request,
      ),
    checkpoint: (signal) => saveTree({ tree, cache, issueId, locked }, signal),
    reset: async (signal) => putBack(context.tree, await start(signal), signal),
    restore: (checkpoint, signal) =>
      restoreTree({ tree, cache, issueId, branch, locked, place: context.tree }, checkpoint, signal),
    mix: (mixed, signal) => mixTree(context.tree, mixed, signal),
    push: async (headCommit, signal, beforeWrite) => {
      await lfs.refuseContent(headCommit, signal);
      await pushBranch(
        {
          ...{ tree, issueId, branch, baseBranch, locked, policy, repo },
          timeoutMs: context.pushTimeoutMs,
          beforeWrite,
          clone: { path: cache, maxBytes: context.cloneBytes },
        },
        headCommit,
        signal,
      );
    },
  };
}

/**
 * Puts the tree to one commit with some paths of another. Both commits are trusted: they were admitted when they were
 * checked out. Only what differs between them is looked at.
 */
async function mixTree(context: TreeContext, mixed: MixedTree, signal: AbortSignal): Promise<void> {
  const { git, paths: places } = context;
  const indexFile = join(places.gitDir, `sluice-index-${randomUUID()}`);
  const at = { gitDir: places.gitDir, indexFile };
  try {
    const paths = new Set(mixed.paths);
    const taken = (await rawChanges(git, { at, from: mixed.commit, to: mixed.from }, signal)).filter(
      ({ path, mode, modeBefore }) =>
        mode !== SUBMODULE && modeBefore !== SUBMODULE && paths.has(bytesOf(path).toString()),
    );
    await git.run(['read-tree', mixed.commit], { at, signal });
    await git.run(['update-index', '-z', '--index-info'], { at, input: indexEntries(taken), signal });
    const { stdout: tree } = await git.run(['write-tree'], { at, signal });
    await putBack(context, tree.toString('utf8').trim(), signal);
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}
