import type { BranchStanding, BranchStandings } from '@sluice/core/workspace';
import type { Git } from '../git/git.ts';
import { changeCache } from './change-cache.ts';
import { checkBranchName } from './choose-base.ts';
import { mergeTrees } from './merge-trees.ts';
import { besideIndex } from './read-diff.ts';
import { branchTip, changedPaths, ensureCache, fetchBranches } from './repo-cache.ts';
import { hostOpener, type WorkspaceHost, type WorkspacesOptions } from './workspace-host.ts';
import { cachePath } from './workspace-layout.ts';

const SUBJECTS = 20; // more say no more about what the base branch wants

/** Looks at branches through the clones that the workspaces of the same folder use, and makes one that is absent. */
export function createBranchStandings(options: WorkspacesOptions): BranchStandings {
  const opened = hostOpener(options);
  return {
    of: async (request) => standing(await opened(), request),
  };
}

async function standing(
  host: WorkspaceHost,
  { repo, branch, baseBranch, signal }: Parameters<BranchStandings['of']>[0],
): Promise<BranchStanding | null> {
  signal.throwIfAborted();
  for (const name of [branch, baseBranch]) await checkBranchName(host, name, signal);
  const cache = cachePath(host.layout, repo.repoId);
  const tips = await host.lock(repo.repoId, signal, async () => {
    const isFresh = await ensureCache(host.caches, repo, signal);
    return changeCache(cache, host.trash, async () => {
      if (!isFresh) await fetchBranches(host.caches, { repo, cache }, signal);
      const head = await branchTip(host.git, { cache, branch }, signal);
      return { head, base: await branchTip(host.git, { cache, branch: baseBranch }, signal) };
    });
  });
  const { git } = host;
  const parted = await mergeBase(git, { cache, ...tips }, signal);
  if (parted === null) return null;
  const at = besideIndex({ paths: { gitDir: cache } });
  const { isContained, conflicts } = await mergeTrees({ git, at }, { ours: tips.head, theirs: tips.base }, signal);
  return {
    headCommit: tips.head,
    baseCommit: tips.base,
    isContained,
    conflicts,
    changedAtBase: await changedPaths(git, { cache, from: parted, to: tips.base }, signal),
    changedOnBranch: await changedPaths(git, { cache, from: parted, to: tips.head }, signal),
    subjects: await subjects(git, { cache, ...tips }, signal),
  };
}

interface Tips {
  readonly cache: string;
  readonly head: string;
  readonly base: string;
}

/** The commit at which the two parted; null when they have no history in common. */
async function mergeBase(git: Git, { cache, head, base }: Tips, signal: AbortSignal): Promise<string | null> {
  const { exitCode, stdout } = await git.run(['merge-base', head, base], {
    at: { gitDir: cache },
    answers: [0, 1],
    signal,
  });
  return exitCode === 0 ? stdout.toString('utf8').trim() : null;
}

async function subjects(git: Git, { cache, head, base }: Tips, signal: AbortSignal): Promise<readonly string[]> {
  const range = ['--end-of-options', base, `^${head}`];
  const { stdout } = await git.run(['log', `-${SUBJECTS}`, '--no-merges', '-z', '--format=%s', ...range], {
    at: { gitDir: cache },
    signal,
  });
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((subject) => subject !== '');
}
