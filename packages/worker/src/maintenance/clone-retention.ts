import type { Timers } from '@sluice/core/async';
import type { CodeIndex } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import type { RepoStore } from '@sluice/core/repo';
import type { Workspaces } from '@sluice/core/workspace';
import type { Log } from '../execution/worker-deps.ts';

const EVERY_MS = 60_000; // disk space of a removed repository is not urgent, and each clone costs a read

/** Removes the clone and the code index of repositories that no user has registered any more. */
export interface CloneRetention {
  /** Checks every clone, at most once a minute. A failed removal is logged and retried by the next run. */
  run(): Promise<void>;
}

export function createCloneRetention(deps: {
  workspaces: Workspaces;
  codeIndex: CodeIndex;
  repos: RepoStore;
  timers: Timers;
  log: Log;
}): CloneRetention {
  const { workspaces, codeIndex, repos, timers, log } = deps;
  let nextAt = timers.now();

  async function removeOrphan(repoId: RepoId): Promise<void> {
    // A clone is only made for an existing row, so a clone without one is never needed again.
    if ((await repos.get(repoId)) !== null) return;
    // The clone goes last: the next run finds the rest by it.
    await codeIndex.drop(repoId);
    await workspaces.forget(repoId);
  }

  return {
    async run() {
      if (timers.now() < nextAt) return;
      nextAt = timers.now() + EVERY_MS;
      for (const repoId of await workspaces.clones()) {
        await removeOrphan(repoId).catch((error: unknown) => {
          log.warn({ err: error, repoId }, 'could not remove the clone and code index of a removed repository');
        });
      }
    },
  };
}
