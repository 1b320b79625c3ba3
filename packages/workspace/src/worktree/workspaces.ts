import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { isId, type RepoId } from '@sluice/core/id';
import { diskFull, isBelowReserve, type WorkspaceRequest, type Workspaces } from '@sluice/core/workspace';
import { freeSpace, isSpaceLow } from '../disk/free-space.ts';
import type { Git } from '../git/git.ts';
import { endOrphanedGit } from '../git/orphaned-git.ts';
import { changeCache } from './change-cache.ts';
import { checkBase, checkBranchName, chooseBase, findCommit } from './choose-base.ts';
import { madeRef } from './commit-tree.ts';
import { dropTreeLock, holdTree, listTreeLocks } from './hold-tree.ts';
import { isPresent } from './is-present.ts';
import { openWorkspace } from './open-workspace.ts';
import { fillTree, placeTree, readTreeId, repairTree, type TreeContext } from './prepare-tree.ts';
import { ensureCache, tidyCache } from './repo-cache.ts';
import { savedTreeRef } from './save-tree.ts';
import { hostOpener, type WorkspaceHost, type WorkspacesOptions } from './workspace-host.ts';
import { cachePath, treePaths } from './workspace-layout.ts';

/** Workspaces on this host, with what a process that ends needs. */
export interface HostWorkspaces extends Workspaces {
  /** Resolves when what was discarded has been deleted. */
  settled(): Promise<void>;
}

const CHECKOUT_TIMEOUT_MS = 300_000;
const TREE_LOCKS = 64; // lock files are never deleted, as that would let two holders in: so there are so many and no more

/** One bare clone per registration, one working tree per issue. Two processes may share the folder. */
export function createWorkspaces(options: WorkspacesOptions): HostWorkspaces {
  const host = hostOpener(options);
  return {
    prepare: async (request) => {
      try {
        return await prepare(await host(), request);
      } catch (error) {
        throw isOutOfSpace(error) ? diskFull(await freeSpace(options.root)) : error;
      }
    },
    hold: async (issueId, signal) => {
      if (!isId(issueId)) throw new AppError('git_failed', { detail: 'The issue id is not valid.' });
      return await holdTree((await host()).layout.locks, issueId, signal);
    },
    discard: async (issueId) => {
      if (isId(issueId)) await discard(await host(), issueId);
    },
    reclaim: async (issueId) => {
      const { trash, layout } = await host();
      if (isId(issueId)) await trash.remove(join(layout.trees, issueId));
    },
    isSpaceLow: async () => isSpaceLow((await host()).layout.root),
    list: async () => {
      const { layout } = await host();
      const ids = new Set([...(await readdir(layout.trees)), ...(await listTreeLocks(layout.locks))]);
      return [...ids].filter(isId).sort();
    },
    clones: async () => {
      const names = await readdir((await host()).layout.caches);
      return names.map((name) => name.replace(/\.git$/, '')).filter((id): id is RepoId => isId(id));
    },
    forget: async (repoId) => {
      const { trash, layout, lock } = await host();
      if (isId(repoId)) await lock(repoId, NEVER, () => trash.take(cachePath(layout, repoId)));
    },
    settled: async () => {
      const { trash, background } = await host();
      await Promise.all(background);
      await trash.emptied();
    },
  };
}

const NEVER = new AbortController().signal;

async function prepare(host: WorkspaceHost, request: WorkspaceRequest) {
  const { signal, repo, issueId, mergeCommit = null } = request;
  signal.throwIfAborted();
  if (!isId(issueId)) throw new AppError('git_failed', { detail: 'The issue id is not valid.' });
  if (!isId(repo.repoId)) throw new AppError('git_failed', { detail: 'The repository id is not valid.' });
  await makeRoom(host, issueId);
  await checkBase(host, request);
  if (mergeCommit !== null) await checkBase(host, { ...request, baseCommit: mergeCommit });
  await checkBranchName(host, request.branch, signal);
  await endOrphanedGit(host.layout.root);
  const context = treeContext(host, request);
  const locked = <T>(until: AbortSignal, work: () => Promise<T>): Promise<T> =>
    host.lock(repo.repoId, until, () => changeCache(context.cache, host.trash, work));
  const found = await host.lock(treeLock(issueId), signal, async () => {
    const fresh = await host.lock(repo.repoId, signal, () => ensureCache(host.caches, repo, signal));
    const { commit, whole } = await locked(signal, async () => {
      const chosen = await chooseBase(host, request, fresh);
      if (mergeCommit !== null) await findCommit(host, { repo, commit: mergeCommit }, signal);
      await tidyCache(host.caches, context.cache, signal);
      return { commit: chosen, whole: await placeTree(context, chosen, signal) };
    });
    if (whole) await repairTree(context, commit, signal);
    else await fillTree(context, commit, signal);
    return { base: commit, treeId: await readTreeId(context) };
  });
  return openWorkspace(
    {
      tree: context,
      repo,
      issueId,
      baseBranch: request.baseBranch,
      mergeCommit,
      policy: host.policy,
      author: host.options.author,
      unfinished: host.layout.unfinished,
      pushTimeoutMs: host.caches.fetchTimeoutMs,
      cloneBytes: host.caches.cloneBytes,
      locked,
    },
    found,
  );
}

/**
 * Removes the issue's own tree where the disk is down to its reserve: a process that died over it had no time to.
 *
 * @throws AppError `disk_full` when that was not what fills the disk: nothing can be cloned or checked out
 */
async function makeRoom({ layout, trash }: WorkspaceHost, issueId: string): Promise<void> {
  if (!(await isSpaceLow(layout.root))) return;
  await trash.remove(join(layout.trees, issueId));
  await trash.emptied();
  const space = await freeSpace(layout.root);
  if (isBelowReserve(space)) throw diskFull(space);
}

function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

function treeContext(host: WorkspaceHost, request: WorkspaceRequest): TreeContext {
  return {
    git: host.git,
    trash: host.trash,
    paths: treePaths(host.layout, { repoId: request.repo.repoId, issueId: request.issueId }),
    cache: cachePath(host.layout, request.repo.repoId),
    branch: request.branch,
    uid: host.sandboxUid(request.issueId),
    guard: host.guard,
    checkoutTimeoutMs: host.options.checkoutTimeoutMs ?? CHECKOUT_TIMEOUT_MS,
  };
}

function treeLock(issueId: string): string {
  return `tree-${(createHash('sha256').update(issueId).digest()[0] ?? 0) % TREE_LOCKS}`;
}

/** The tree goes at once; its entry in the cache follows behind the scenes, as that waits for the repository's lock. */
async function discard(host: WorkspaceHost, issueId: string): Promise<void> {
  await host.trash.take(join(host.layout.trees, issueId));
  await dropTreeLock(host.layout.locks, issueId);
  const prune = async (): Promise<void> => {
    for (const name of await readdir(host.layout.caches)) {
      const repoId = name.replace(/\.git$/, '');
      const { tree, gitDir } = treePaths(host.layout, { repoId, issueId });
      if (!(await isPresent(gitDir))) continue;
      await host.lock(repoId, NEVER, async () => {
        // Somebody may have prepared the issue again meanwhile.
        if (await isPresent(tree)) return;
        await forgetRefs(host.git, { cache: cachePath(host.layout, repoId), gitDir, issueId });
        await host.trash.take(gitDir);
      });
    }
  };
  // An entry that stays is harmless: `prepare` replaces it.
  const pruned = prune()
    .catch(() => undefined)
    .finally(() => host.background.delete(pruned));
  host.background.add(pruned);
}

/**
 * Removes what a clone still names of an issue that is over: its branch, the record of its commits and the tree kept beside them. Their objects
 * go with the clone's next clean-up. Needs the repository's lock, and the issue's part of the clone still there.
 */
async function forgetRefs(
  git: Git,
  { cache, gitDir, issueId }: { cache: string; gitDir: string; issueId: string },
): Promise<void> {
  const at = { gitDir: cache };
  const branch = await branchOf(gitDir);
  const isOthers = branch !== null && (await branchesOfOthers(cache, gitDir)).has(branch);
  const patterns = [madeRef(issueId), savedTreeRef(issueId), ...(branch === null || isOthers ? [] : [branch])];
  const { stdout } = await git.run(['for-each-ref', '--format=delete %(refname)', '--', ...patterns], { at });
  await git.run(['update-ref', '--stdin'], { at, input: stdout.toString('utf8') });
}

async function branchOf(gitDir: string): Promise<string | null> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: (refs\/heads\/\S+)$/m.exec(head)?.[1] ?? null;
}

/** A follow-up works on the branch of the issue before it. */
async function branchesOfOthers(cache: string, gitDir: string): Promise<ReadonlySet<string | null>> {
  const names = await readdir(join(cache, 'worktrees')).catch((): string[] => []);
  const others = names.filter((name) => name !== basename(gitDir));
  return new Set(await Promise.all(others.map((name) => branchOf(join(cache, 'worktrees', name)))));
}
