import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyedMutex } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { createGit, type GitOptions } from '../git/git.ts';
import { DEFAULT_GIT_LIMITS } from '../git/git-limits.ts';
import type { RemotePolicy } from '../git/reach-remote.ts';
import type { Author } from './commit-tree.ts';
import { lockFile } from './lock-file.ts';
import type { RepoCacheContext } from './repo-cache.ts';
import { createTrash } from './trash.ts';
import { createTreeGuard, DEFAULT_TREE_LIMITS, type TreeLimits } from './tree-guard.ts';
import { sandboxUidFor } from './tree-owner.ts';
import { type WorkspaceLayout, workspaceLayout } from './workspace-layout.ts';

export interface WorkspacesOptions extends RemotePolicy {
  /** The folder that holds clones and working trees; created when absent, closed to other users. */
  readonly root: string;
  /** The author of commits. */
  readonly author: Author;
  /** The user as whom an issue's commands run, null for this process's own; default `sandboxUidFor`. */
  readonly sandboxUid?: (issueId: string) => number | null;
  /** How long a clone, fetch or push may take; default 600 000. */
  readonly remoteTimeoutMs?: number;
  /** How long a checkout may take; default 300 000. */
  readonly checkoutTimeoutMs?: number;
  /** Where `git` is looked for, as in `PATH`. */
  readonly searchPath?: string;
  /** What git may take of this host. */
  readonly gitLimits?: GitOptions['limits'];
  /** Holds all git processes together. */
  readonly gitGroup?: GitOptions['group'];
  /** How large the files of a commit may be that is checked out. */
  readonly treeLimits?: TreeLimits;
}

const REMOTE_TIMEOUT_MS = 600_000;

/** The folder of the workspaces, opened: what all who work in it share. */
export type WorkspaceHost = Awaited<ReturnType<typeof openHost>>;

/**
 * Opens the folder at the first call; one that failed is tried again at the next. Its parts are made again when somebody
 * has removed them: what was in them is only a cache, and without them nothing would work until the next start.
 */
export function hostOpener(options: WorkspacesOptions): () => Promise<WorkspaceHost> {
  let opened: Promise<WorkspaceHost> | undefined;
  return async () => {
    opened ??= openHost(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const host = await opened;
    await makeFolders(host.layout);
    return host;
  };
}

async function makeFolders(layout: WorkspaceLayout): Promise<void> {
  for (const folder of Object.values(layout)) await mkdir(folder, { recursive: true, mode: 0o700 });
}

async function openHost(options: WorkspacesOptions) {
  await mkdir(options.root, { recursive: true, mode: 0o700 });
  // git answers with resolved paths, and a tree's `.git` file must name its entry exactly.
  const root = await realpath(options.root);
  const layout = workspaceLayout(root);
  await makeFolders(layout);
  const limits = options.gitLimits ?? DEFAULT_GIT_LIMITS;
  const git = createGit({ searchPath: options.searchPath, ownerRoot: root, limits, group: options.gitGroup });
  const trash = createTrash(layout.trash);
  trash.sweep();
  const policy: RemotePolicy = { ...options, forbiddenRoots: [...(options.forbiddenRoots ?? []), root] };
  const caches: RepoCacheContext = {
    git,
    layout,
    policy,
    trash,
    fetchTimeoutMs: options.remoteTimeoutMs ?? REMOTE_TIMEOUT_MS,
    cloneBytes: limits.cloneBytes,
  };
  return {
    options,
    layout,
    git,
    trash,
    policy,
    caches,
    guard: createTreeGuard(options.treeLimits ?? DEFAULT_TREE_LIMITS),
    lock: createRepoLock(layout.locks),
    branchNames: new Set<string>(),
    background: new Set<Promise<void>>(),
    sandboxUid: options.sandboxUid ?? sandboxUidFor,
  };
}

/*
 * One mutation of a cache at a time: `git worktree add` twice at once fails a quarter of the time ("failed to read
 * worktrees/…/commondir"). Two services may share a folder, so a promise chain is not enough.
 */

const WAIT_MS = 900_000; // longer than a clone may take
const HELD = 'Another process has held the lock of this repository for too long.';
const heldError = () => new AppError('git_failed', { detail: HELD });

/** Runs `work` while no other caller, in this process or another, holds the lock of that name. First come, first served. */
type RepoLock = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Creates the lock of each repository, across processes.
 *
 * @param folder the folder of the lock files; it must exist when a lock is taken
 */
export function createRepoLock(folder: string): RepoLock {
  const queue = createKeyedMutex();
  return async (name, signal, work) => {
    signal.throwIfAborted();
    return queue.run(
      name,
      async () => {
        const release = await lockFile(join(folder, `${name}.lock`), { waitMs: WAIT_MS, held: heldError, signal });
        try {
          return await work();
        } finally {
          release();
        }
      },
      signal,
    );
  };
}
