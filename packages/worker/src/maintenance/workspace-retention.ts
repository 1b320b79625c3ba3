import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';
import type { Workspaces } from '@sluice/core/workspace';
import type { Log, WorkerDeps } from '../execution/worker-deps.ts';

/**
 * Decides when a working tree may be removed: as soon as its issue has ended, but never during an execution by this process.
 * An execution enters before it claims and leaves after it released; a removal and an execution wait for each other. The
 * database decides each time, never a signal.
 */
export interface WorkspaceRetention {
  /** Call and await before an issue is claimed. */
  enter(issueId: IssueId): Promise<void>;
  /** Removes the tree if its issue has ended meanwhile. */
  leave(issueId: IssueId): Promise<void>;
  /**
   * Removes every tree on this host that no issue needs. While the disk is down to its reserve, also those that no worker of
   * any process is using: they are restored from their checkpoints.
   */
  run(): Promise<void>;
  /** Listens for issues that end outside an execution. Returns a function that stops listening. */
  watch(): () => void;
}

export function createWorkspaceRetention(
  deps: Pick<WorkerDeps, 'clock'> & { workspaces: Workspaces; runs: RunStore; signals: Signals; log: Log },
  options: { readonly workspaceTtlMs: number },
): WorkspaceRetention {
  /** How many executions use a tree. Two of one issue overlap where a process stalled and claimed its own issue again. */
  const inUse = new Map<string, number>();
  const going = new Map<string, Promise<void>>();

  async function removeUnneeded(issueIds: readonly string[]): Promise<void> {
    const free = issueIds.filter((id) => !inUse.has(id) && !going.has(id));
    if (free.length === 0) return;
    const failedSince = new Date(deps.clock.now().getTime() - options.workspaceTtlMs);
    const needed = new Set(await deps.runs.needingWorkspace(free, failedSince));
    await Promise.all(free.filter((id) => !needed.has(id)).map(remove));
  }

  /** Most hints are about issues of other hosts, and the database must not be asked about those. */
  async function removeEnded(hinted: readonly string[]): Promise<void> {
    const present = new Set(await deps.workspaces.list());
    await removeUnneeded(hinted.filter((id) => present.has(id)));
  }

  async function removeUnused(issueIds: readonly string[]): Promise<void> {
    const leased = new Set(await deps.runs.leased(issueIds));
    await Promise.all(issueIds.filter((id) => !leased.has(id)).map(remove));
  }

  async function remove(id: string): Promise<void> {
    if (inUse.has(id) || going.has(id)) return; // an execution entered during the query
    const removal = deps.workspaces.discard(id);
    going.set(
      id,
      removal.catch(() => undefined),
    );
    try {
      await removal;
    } catch (error) {
      deps.log.warn({ err: error, issueId: id }, 'could not remove a working tree; the next maintenance retries');
    } finally {
      going.delete(id);
    }
  }

  return {
    async enter(issueId) {
      while (going.has(issueId)) await going.get(issueId);
      inUse.set(issueId, (inUse.get(issueId) ?? 0) + 1);
    },
    async leave(issueId) {
      const others = (inUse.get(issueId) ?? 1) - 1;
      if (others > 0) inUse.set(issueId, others);
      else inUse.delete(issueId);
      await removeUnneeded([issueId]);
    },
    async run() {
      const present = await deps.workspaces.list();
      if (await deps.workspaces.isSpaceLow()) await removeUnused(present);
      else await removeUnneeded(present);
    },
    watch() {
      const hinted = new Set<string>();
      async function removeHinted(): Promise<void> {
        const ids = [...hinted];
        hinted.clear();
        await removeEnded(ids).catch((error: unknown) => {
          deps.log.warn({ err: error }, 'could not look up ended issues; the next maintenance retries');
        });
      }
      return deps.signals.subscribe(null, {
        onEvents({ issueId }) {
          if (inUse.has(issueId)) return;
          if (hinted.size === 0) setImmediate(() => void removeHinted());
          hinted.add(issueId);
        },
      });
    },
  };
}
