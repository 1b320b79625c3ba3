import type { CodeIndex, RepoId, RepoStore, Workspaces } from '@sluice/core';
import type { Log } from '../execution/worker-deps.ts';

const EVERY_MS = 60_000; // a removed repository's disk space is in no hurry, and each clone costs a read

/** Removes what a repository leaves on this host once nobody has it registered any more: its clone and its code index. */
export interface CloneRetention {
  /**
   * Looks at every clone, but not more often than once a minute. One that cannot be removed is logged and left for the next
   * sweep; the others go.
   */
  sweep(): Promise<void>;
}

export function createCloneRetention(deps: {
  workspaces: Workspaces;
  codeIndex: CodeIndex;
  repos: RepoStore;
  log: Log;
}): CloneRetention {
  const { workspaces, codeIndex, repos, log } = deps;
  let nextAt = 0;

  async function removeOrphan(repoId: RepoId): Promise<void> {
    // A clone is made for a row that is there, so one without a row was removed and is never made again.
    if ((await repos.get(repoId)) !== null) return;
    // The clone goes last: it is what the next sweep knows the rest by.
    await codeIndex.drop(repoId);
    await workspaces.forget(repoId);
  }

  return {
    async sweep() {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + EVERY_MS;
      for (const repoId of await workspaces.clones()) {
        await removeOrphan(repoId).catch((error: unknown) => {
          log.warn({ err: error, repoId }, 'what a removed repository left here could not be removed');
        });
      }
    },
  };
}
