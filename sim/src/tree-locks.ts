import { AppError } from '@sluice/core/error';
import type { Lease } from '@sluice/core/issue';
import { executionLease } from './execution-lease.ts';
import type { SimProcess } from './sim-process.ts';

const WAIT_MS = 30_000;
const PAUSE_MS = 200;

/** The locks of a host's working trees. The lock of a process ends with it. */
export interface TreeLocks {
  /** Like `Workspaces.hold`. */
  hold(process: SimProcess, issueId: string, signal: AbortSignal): Promise<() => void>;
  /** Called as an execution begins to use a tree. @returns what is wrong: a newer one has used it; null: nothing */
  use(process: SimProcess, issueId: string): string | null;
}

export function createTreeLocks(): TreeLocks {
  const holders = new Map<string, { readonly process: SimProcess }>();
  /** The newest lease under which each tree was used. */
  const newest = new Map<string, Lease>();

  return {
    async hold(process, issueId, signal) {
      const deadline = process.timers.now() + WAIT_MS;
      for (;;) {
        await process.gate(`hold ${issueId.slice(-4)}`, signal);
        const holder = holders.get(issueId);
        if (holder === undefined || holder.process.isDead()) break;
        if (process.timers.now() > deadline) throw new AppError('not_ready', { detail: 'The working tree is in use.' });
        await process.timers.sleep(PAUSE_MS, signal);
      }
      const mine = { process };
      holders.set(issueId, mine);
      return () => {
        if (holders.get(issueId) === mine) holders.delete(issueId);
      };
    },
    use(process, issueId) {
      const lease = executionLease();
      const last = newest.get(issueId);
      if (lease === null) return null; // upkeep, and people
      if (last === undefined || lease.epoch >= last.epoch) {
        newest.set(issueId, lease);
        return null;
      }
      return `${process.name} used the tree of ${issueId.slice(-4)} under epoch ${lease.epoch}, and epoch ${last.epoch} had used it`;
    },
  };
}
