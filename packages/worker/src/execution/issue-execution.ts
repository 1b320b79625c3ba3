import type { Attempt, Claimed, Issue, IssueChange, IssueStore, Lease } from '@sluice/core/issue';
import { addUsage, type Usage } from '@sluice/core/pipeline';

/** Why an execution stops before its pipeline does. In none of these cases has the stage failed. */
export type ExecutionEndReason = 'lease_lost' | 'not_runnable' | 'shutting_down' | 'held' | 'over';

/** Thrown through a stage when its execution is over. Never leaves the worker, never becomes an event. */
export class ExecutionEnded extends Error {
  readonly reason: ExecutionEndReason;

  constructor(reason: ExecutionEndReason) {
    super(`The execution ended: ${reason}.`);
    this.name = 'ExecutionEnded';
    this.reason = reason;
  }
}

/** A change as a stage writes it; the execution adds the issue, its expected status and the lease. */
type ExecutionChange = Omit<IssueChange, 'issueId' | 'from' | 'lease'>;

/** One issue under this process's lease. Every write goes through it and is refused once the lease is lost. */
export interface IssueExecution {
  readonly lease: Lease;
  /** Aborted with an `ExecutionEnded` when the execution is over. */
  readonly signal: AbortSignal;
  /** The issue as last read or written by this execution. */
  issue(): Issue;
  /** The attempt that the claim or the last change started for the next stage, once; null when it started none. */
  takeBegun(): Attempt | null;
  /** Applies one atomic change. @throws ExecutionEnded when the issue or the lease has changed */
  apply(change: ExecutionChange): Promise<Issue>;
  /** Makes one fenced write. @throws ExecutionEnded when the store refused it: it returned false or null */
  write<Written>(act: (lease: Lease) => Promise<Written | false | null>): Promise<Written>;
  /** Adds usage that a write to the journal has booked, so that `issue()` includes it. */
  booked(usage: Usage): void;
  /** Ends the execution: running work is aborted, and nothing more is written. The first reason wins. */
  end(reason: ExecutionEndReason): void;
}

/** Starts the execution of an issue that was just claimed. */
export function openIssueExecution(issues: IssueStore, claimed: Claimed): IssueExecution {
  const { lease } = claimed;
  const controller = new AbortController();
  let current = claimed.issue;
  let begun = claimed.attempt;

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
      const attempt = begun;
      begun = null;
      return attempt;
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
      begun = outcome.attempt ?? null;
      return current;
    },
    async write(act) {
      controller.signal.throwIfAborted();
      const written = await act(lease);
      return written === false || written === null ? lost() : written;
    },
  };
}
