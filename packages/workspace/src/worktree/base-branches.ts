import type { BaseBranches } from '@sluice/core/workspace';
import { changeCache } from './change-cache.ts';
import { checkBase, findCommit } from './choose-base.ts';
import { branchTip, changedPaths, ensureCache, fetchBranches } from './repo-cache.ts';
import { hostOpener, type WorkspaceHost, type WorkspacesOptions } from './workspace-host.ts';
import { cachePath } from './workspace-layout.ts';

/** Looks at base branches through the clones that the workspaces of the same folder use, and makes one that is absent. */
export function createBaseBranches(options: WorkspacesOptions): BaseBranches {
  const opened = hostOpener(options);
  return {
    since: async (request) => since(await opened(), request),
  };
}

async function since(host: WorkspaceHost, request: Parameters<BaseBranches['since']>[0]) {
  const { repo, branch, baseCommit, signal } = request;
  signal.throwIfAborted();
  await checkBase(host, { baseBranch: branch, baseCommit, signal });
  const cache = cachePath(host.layout, repo.repoId);
  const tip = await host.lock(repo.repoId, signal, async () => {
    const isFresh = await ensureCache(host.caches, repo, signal);
    return changeCache(cache, host.trash, async () => {
      if (!isFresh) await fetchBranches(host.caches, { repo, cache }, signal);
      const found = await branchTip(host.git, { cache, branch }, signal);
      if (found !== baseCommit) await findCommit(host, { repo, commit: baseCommit }, signal);
      return found;
    });
  });
  if (tip === baseCommit) return { tip, changed: [] };
  await host.guard.admit({ git: host.git, gitDir: cache, commit: tip, signal });
  return { tip, changed: await changedPaths(host.git, { cache, from: baseCommit, to: tip }, signal) };
}
