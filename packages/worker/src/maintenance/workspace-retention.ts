import type { IssueId, RunStore, Signals, Workspaces } from '@sluice/core';
import type { Log, WorkerDeps } from '../execution/worker-deps.ts';

/**
 * Decides when a working tree may go. A tree is removed as soon as its issue has ended, but never while a drive of
 * this process is in it: a drive enters before it claims and leaves after it let go, a removal waits for the one and
 * is waited for by the other. What may go is the database's answer each time, never a guess from a signal.
 */
export interface WorkspaceRetention {
  /** To be awaited before an issue is claimed. */
  enter(issueId: IssueId): Promise<void>;
  /** Removes the tree if its issue ended meanwhile. */
  leave(issueId: IssueId): Promise<void>;
  /**
   * Removes every tree on this host that no issue needs any more. While the disk is down to its reserve, also those that
   * no worker is in, of this process or another one: they are made anew from their checkpoints.
   */
  sweep(): Promise<void>;
  /** Starts to listen for issues that end while no drive is in them. Returns the way to stop. */
  watch(): () => void;
}

export function createWorkspaceRetention(
  deps: Pick<WorkerDeps, 'clock'> & { workspaces: Workspaces; runs: RunStore; signals: Signals; log: Log },
  options: { readonly workspaceTtlMs: number },
): WorkspaceRetention {
  const inUse = new Set<string>();
  const going = new Map<string, Promise<void>>();

  async function removeUnneeded(issueIds: readonly string[]): Promise<void> {
    const free = issueIds.filter((id) => !inUse.has(id) && !going.has(id));
    if (free.length === 0) return;
    const failedSince = new Date(deps.clock.now().getTime() - options.workspaceTtlMs);
    const needed = new Set(await deps.runs.needingWorkspace(free, failedSince));
    await Promise.all(free.filter((id) => !needed.has(id)).map(remove));
  }

  async function removeUnused(issueIds: readonly string[]): Promise<void> {
    const leased = new Set(await deps.runs.leased(issueIds));
    await Promise.all(issueIds.filter((id) => !leased.has(id)).map(remove));
  }

  async function remove(id: string): Promise<void> {
    if (inUse.has(id) || going.has(id)) return; // a drive entered while the database was asked
    const removal = deps.workspaces.discard(id);
    going.set(
      id,
      removal.catch(() => undefined),
    );
    try {
      await removal;
    } catch (error) {
      deps.log.warn({ err: error, issueId: id }, 'a working tree could not be removed; the next sweep tries again');
    } finally {
      going.delete(id);
    }
  }

  return {
    async enter(issueId) {
      while (going.has(issueId)) await going.get(issueId);
      inUse.add(issueId);
    },
    async leave(issueId) {
      inUse.delete(issueId);
      await removeUnneeded([issueId]);
    },
    async sweep() {
      const present = await deps.workspaces.list();
      if (await deps.workspaces.isSpaceLow()) await removeUnused(present);
      else await removeUnneeded(present);
    },
    watch() {
      const hinted = new Set<string>();
      async function look(): Promise<void> {
        const ids = [...hinted];
        hinted.clear();
        await removeUnneeded(ids).catch((error: unknown) => {
          deps.log.warn({ err: error }, 'ended issues could not be looked up; the next sweep tries again');
        });
      }
      return deps.signals.subscribe(null, {
        onEvents({ issueId }) {
          if (inUse.has(issueId)) return;
          if (hinted.size === 0) setImmediate(() => void look());
          hinted.add(issueId);
        },
      });
    },
  };
}
