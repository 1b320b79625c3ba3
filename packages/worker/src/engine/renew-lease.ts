import type { RunStore, Timers } from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { Log } from '../execution/worker-deps.ts';

const RENEWALS_PER_LEASE = 3; // two may fail before the third would come too late

/**
 * Renews the lease of an execution until it is stopped. The execution ends when the store reports that another worker has
 * the lease, or when no renewal succeeded for the length of a lease. A late renewal is still tried first, because the machine
 * may have slept: only the store knows whether another worker took the issue.
 *
 * @returns a function that stops the renewal
 */
export function renewLease(
  deps: { runs: RunStore; timers: Timers; log: Log },
  execution: IssueExecution,
  leaseMs: number,
): () => void {
  const { timers } = deps;
  let renewedAt = timers.now();
  let busy = false;

  function giveUpIfExpired(): void {
    if (timers.now() - renewedAt >= leaseMs) execution.end('lease_lost');
  }

  async function renew(): Promise<void> {
    const began = timers.now();
    try {
      if (await deps.runs.renew(execution.lease, leaseMs)) renewedAt = began;
      else execution.end('lease_lost');
    } catch (error) {
      deps.log.warn({ err: error, issueId: execution.lease.issueId }, 'could not renew a lease');
      giveUpIfExpired();
    }
  }

  return timers.every(leaseMs / RENEWALS_PER_LEASE, () => {
    if (busy) {
      giveUpIfExpired();
      return;
    }
    busy = true;
    void renew().finally(() => {
      busy = false;
    });
  });
}
