import {
  type Attempt,
  addUsage,
  type Issue,
  type IssueChange,
  type IssueStore,
  type Lease,
  type Usage,
} from '@sluice/core';

/** Why a drive stops before its pipeline does. In none of these cases has the stage failed. */
export type ExecutionEndReason = 'lease_lost' | 'not_runnable' | 'shutting_down' | 'over';

/** Thrown through a stage when its drive is over. Never leaves the worker, never becomes an event. */
export class ExecutionEnded extends Error {
  readonly reason: ExecutionEndReason;

  constructor(reason: ExecutionEndReason) {
    super(`The drive ended: ${reason}.`);
    this.name = 'ExecutionEnded';
    this.reason = reason;
  }
}

/** A change as a stage words it; the run adds whose it is and what must still be true. */
type ExecutionChange = Omit<IssueChange, 'issueId' | 'from' | 'lease'>;

/** One issue under this process's lease. Whatever is written goes through it, and is refused once the lease is gone. */
export interface IssueExecution {
  readonly lease: Lease;
  /** Aborted with a `ExecutionEnded` when the drive is over. */
  readonly signal: AbortSignal;
  /** The issue as last read or written by this run. */
  issue(): Issue;
  /** The stage run that the last change has opened for the next stage, once; null when it opened none. */
  takeBegun(): Attempt | null;
  /** Applies one atomic change. @throws ExecutionEnded when the issue or the lease is not what it was */
  apply(change: ExecutionChange): Promise<Issue>;
  /** Makes one fenced write. @throws ExecutionEnded when the store refused it */
  write(act: (lease: Lease) => Promise<boolean>): Promise<void>;
  /** Told what a journal's write has added to the issue's usage, so that `issue()` has it too. */
  booked(usage: Usage): void;
  /** Ends the drive: what runs is aborted, and nothing more is written. The first reason stays. */
  end(reason: ExecutionEndReason): void;
}

/** Opens the run of an issue that was claimed just now. */
export function openIssueExecution(issues: IssueStore, claimed: { lease: Lease; issue: Issue }): IssueExecution {
  const { lease } = claimed;
  const controller = new AbortController();
  let current = claimed.issue;
  let begun: Attempt | null = null;

  function end(reason: ExecutionEndReason): void {
    controller.abort(new ExecutionEnded(reason));
  }

  function lost(): never {
    end('lease_lost');
    throw controller.signal.reason;
  }

  return {
    lease,
    signal: controller.signal,
    issue: () => current,
    end,
    takeBegun() {
      const step = begun;
      begun = null;
      return step;
    },
    booked(usage) {
      current = { ...current, usage: addUsage(current.usage, usage) };
    },
    async apply(change) {
      controller.signal.throwIfAborted();
      const outcome = await issues.apply({
        ...change,
        issueId: current.id,
        from: { status: current.status },
        lease,
      });
      if (outcome.kind !== 'applied') lost();
      current = outcome.issue;
      begun = outcome.step ?? null;
      return current;
    },
    async write(act) {
      controller.signal.throwIfAborted();
      if (!(await act(lease))) lost();
    },
  };
}
