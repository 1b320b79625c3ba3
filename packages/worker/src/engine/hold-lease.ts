import type { RunStore } from '@sluice/core/agent';
import { type Timers, untilAborted } from '@sluice/core/async';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { Log } from '../execution/worker-deps.ts';

const RENEWALS_PER_LEASE = 3; // two may fail before the third would come too late
const MARGIN = 1 / 15; // of a lease: the holder's clock may run a little slower than the database's

const STALE_ANSWER_MS = 1_000; // a store in good health answers within milliseconds

/** The lease of an execution, as its holder keeps it. */
export interface HeldLease {
  /**
   * Returns when the store has said within the last `maxAgeMs` that this execution holds the lease: asks it if the last
   * renewal is older. Call it right before an effect that no fence in the database can stop.
   *
   * @throws the reason of the execution's end, or the store's error when it could not be asked
   */
  confirm(maxAgeMs: number): Promise<void>;
  /** Stops the renewals. */
  close(): void;
}

/**
 * Keeps the lease of an execution: renews it, and ends the execution when another worker has the issue.
 *
 * The execution also ends by itself at a deadline, whatever the store does: when a renewal fails, hangs or never gets through,
 * the lease ends here before it ends in the database. The deadline counts from before the store was asked, because the
 * response says nothing about when the store acted.
 *
 * @param lease.claimedAt by the same timers, from before the claim
 */
export function holdLease(
  deps: { readonly runs: Pick<RunStore, 'renew'>; readonly timers: Timers; readonly log: Log },
  execution: IssueExecution,
  lease: { readonly ms: number; readonly claimedAt: number },
): HeldLease {
  const { runs, timers, log } = deps;
  const heldMs = lease.ms * (1 - MARGIN);
  let renewedAt = lease.claimedAt;
  let cancelDeadline = setDeadline();
  let isRenewing = false;
  let isClosed = false;

  function setDeadline(): () => void {
    return timers.after(Math.max(renewedAt + heldMs - timers.now(), 0), endIfOver);
  }

  /** Also called where no timer may have fired yet, because the whole process stood still. */
  function endIfOver(): void {
    if (timers.now() - renewedAt >= heldMs) execution.end('lease_lost');
  }

  async function renew(): Promise<void> {
    const askedAt = timers.now();
    if (!(await runs.renew(execution.lease, lease.ms))) {
      execution.end('lease_lost');
      return;
    }
    renewedAt = Math.max(renewedAt, askedAt);
    endIfOver(); // the response may have come too late
    cancelDeadline();
    if (!isClosed) cancelDeadline = setDeadline();
  }

  const stopRenewing = timers.every(lease.ms / RENEWALS_PER_LEASE, () => {
    if (isRenewing) return; // a renewal that hangs must not collect others behind it
    isRenewing = true;
    renew()
      .catch((error: unknown) => {
        log.warn({ err: error, issueId: execution.lease.issueId }, 'could not renew a lease');
      })
      .finally(() => {
        isRenewing = false;
      });
  });

  return {
    async confirm(maxAgeMs) {
      endIfOver();
      execution.signal.throwIfAborted();
      if (timers.now() - renewedAt < maxAgeMs) return;
      const askedAt = timers.now();
      await untilAborted(renew(), execution.signal);
      // Asked again once where the process may have stood still with the answer in its hands.
      if (timers.now() - askedAt > STALE_ANSWER_MS) await untilAborted(renew(), execution.signal);
      execution.signal.throwIfAborted();
    },
    close() {
      isClosed = true;
      stopRenewing();
      cancelDeadline();
    },
  };
}
