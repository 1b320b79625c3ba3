import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isId, type RepoId, type WorkspaceRequest, type Workspaces } from '@sluice/core';
import { createGit } from '../git/git.ts';
import { endOrphanedGit } from '../git/orphaned-git.ts';
import type { RemotePolicy } from '../git/reach-remote.ts';
import { changeCache } from './change-cache.ts';
import type { Author } from './commit-tree.ts';
import { forgetRefs } from './forget-refs.ts';
import { isPresent } from './is-present.ts';
import { openWorkspace } from './open-workspace.ts';
import { fillTree, mendTree, placeTree, readTreeId, type TreeContext } from './prepare-tree.ts';
import { branchTip, ensureCache, fetchBranches, hasCommit, type RepoCacheContext, tidyCache } from './repo-cache.ts';
import { createRepoLock } from './repo-lock.ts';
import { createTrash } from './trash.ts';
import { sandboxUidFor } from './tree-owner.ts';
import { cachePath, treePaths, workspaceLayout } from './workspace-layout.ts';

export interface WorkspacesOptions extends RemotePolicy {
  /** The folder that holds clones and working trees; made when absent, entered by nobody else. */
  readonly root: string;
  /** Who commits. */
  readonly author: Author;
  /** The user as whom an issue's commands run, null for this process's own; default `sandboxUidFor`. */
  readonly sandboxUid?: (issueId: string) => number | null;
  /** How long a clone, fetch or push may take; default 600 000. */
  readonly remoteTimeoutMs?: number;
  /** How long a checkout may take; default 300 000. */
  readonly checkoutTimeoutMs?: number;
  /** Where `git` is looked for, as in `PATH`. */
  readonly searchPath?: string;
}

/** Workspaces on this host, with what a process that ends needs. */
export interface HostWorkspaces extends Workspaces {
  /** Resolves when what was discarded has been deleted. */
  settled(): Promise<void>;
}

const REMOTE_TIMEOUT_MS = 600_000;
const CHECKOUT_TIMEOUT_MS = 300_000;
const TREE_LOCKS = 64; // lock files are never deleted, as that would let two holders in: so there are so many and no more

/** One bare clone per registration, one working tree per issue. Two processes may share the folder. */
export function createWorkspaces(options: WorkspacesOptions): HostWorkspaces {
  let opened: Promise<Host> | undefined;
  const host = (): Promise<Host> => {
    opened ??= openHost(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    prepare: async (request) => prepare(await host(), request),
    discard: async (issueId) => {
      if (isId(issueId)) await discard(await host(), issueId);
    },
    list: async () => (await readdir((await host()).layout.trees)).filter(isId).sort(),
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

async function openHost(options: WorkspacesOptions) {
  await mkdir(options.root, { recursive: true, mode: 0o700 });
  // git answers with resolved paths, and a tree's `.git` file must name its entry exactly.
  const root = await realpath(options.root);
  const layout = workspaceLayout(root);
  for (const folder of Object.values(layout)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const git = createGit({ searchPath: options.searchPath, ownerRoot: root });
  const trash = createTrash(layout.trash);
  trash.sweep();
  const policy: RemotePolicy = { ...options, forbiddenRoots: [...(options.forbiddenRoots ?? []), root] };
  const caches: RepoCacheContext = {
    git,
    layout,
    policy,
    trash,
    fetchTimeoutMs: options.remoteTimeoutMs ?? REMOTE_TIMEOUT_MS,
  };
  return {
    options,
    layout,
    git,
    trash,
    policy,
    caches,
    lock: createRepoLock(layout.locks),
    background: new Set<Promise<void>>(),
    sandboxUid: options.sandboxUid ?? sandboxUidFor,
  };
}

type Host = Awaited<ReturnType<typeof openHost>>;

async function prepare(host: Host, request: WorkspaceRequest) {
  const { signal, repo, issueId } = request;
  signal.throwIfAborted();
  if (!isId(issueId) || !isId(repo.repoId)) throw new AppError('git_failed', { detail: 'This is no identifier.' });
  await checkBranches(host, request);
  await endOrphanedGit(host.layout.root);
  const context = treeContext(host, request);
  const locked = <T>(until: AbortSignal, work: () => Promise<T>): Promise<T> =>
    host.lock(repo.repoId, until, () => changeCache(context.cache, host.trash, work));
  const found = await host.lock(treeLock(issueId), signal, async () => {
    const fresh = await host.lock(repo.repoId, signal, () => ensureCache(host.caches, repo, signal));
    const { commit, whole } = await locked(signal, async () => {
      const chosen = await chooseBase(host, request, fresh);
      await tidyCache(host.caches, context.cache, signal);
      return { commit: chosen, whole: await placeTree(context, chosen, signal) };
    });
    if (whole) await mendTree(context, commit, signal);
    else await fillTree(context, commit, signal);
    return { base: commit, treeId: await readTreeId(context) };
  });
  return openWorkspace(
    {
      tree: context,
      repo,
      issueId,
      policy: host.policy,
      author: host.options.author,
      unfinished: host.layout.unfinished,
      pushTimeoutMs: host.options.remoteTimeoutMs ?? REMOTE_TIMEOUT_MS,
      locked,
    },
    found,
  );
}

/** Fetches when no commit is named or the one named is not here: a repeat after a crash needs no network. */
async function chooseBase(host: Host, request: WorkspaceRequest, fresh: boolean): Promise<string> {
  const { repo, baseBranch, baseCommit, signal } = request;
  const cache = cachePath(host.layout, repo.repoId);
  if (baseCommit !== null && (await hasCommit(host.git, { cache, commit: baseCommit }, signal))) return baseCommit;
  if (!fresh) await fetchBranches(host.caches, { repo, cache }, signal);
  if (baseCommit === null) return branchTip(host.git, { cache, branch: baseBranch }, signal);
  if (await hasCommit(host.git, { cache, commit: baseCommit }, signal)) return baseCommit;
  throw new AppError('base_branch_missing', {
    detail: `The commit ${baseCommit.slice(0, 12)} that this issue started from is not in the repository any more: create the issue anew.`,
  });
}

async function checkBranches(host: Host, request: WorkspaceRequest): Promise<void> {
  for (const name of [request.baseBranch, request.branch]) {
    const { exitCode } = await host.git.run(['check-ref-format', `refs/heads/${name}`], {
      answers: [0, 1],
      signal: request.signal,
    });
    if (exitCode !== 0)
      throw new AppError('base_branch_missing', { detail: `"${name}" cannot be the name of a branch.` });
  }
  if (request.baseCommit !== null && !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(request.baseCommit)) {
    throw new AppError('base_branch_missing', { detail: 'The base commit is no commit id.' });
  }
}

function treeContext(host: Host, request: WorkspaceRequest): TreeContext {
  return {
    git: host.git,
    trash: host.trash,
    paths: treePaths(host.layout, { repoId: request.repo.repoId, issueId: request.issueId }),
    cache: cachePath(host.layout, request.repo.repoId),
    branch: request.branch,
    uid: host.sandboxUid(request.issueId),
    checkoutTimeoutMs: host.options.checkoutTimeoutMs ?? CHECKOUT_TIMEOUT_MS,
  };
}

function treeLock(issueId: string): string {
  return `tree-${(createHash('sha256').update(issueId).digest()[0] ?? 0) % TREE_LOCKS}`;
}

/** The tree goes at once; its entry in the cache follows behind the scenes, as that waits for the repository's lock. */
async function discard(host: Host, issueId: string): Promise<void> {
  await host.trash.take(join(host.layout.trees, issueId));
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
