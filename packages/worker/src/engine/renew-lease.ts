import type { RunStore } from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { Log } from '../execution/worker-deps.ts';

const RENEWALS_PER_LEASE = 3; // two may fail before the third would come too late

/**
 * Renews a run's lease until it is told to stop. The run ends when the store says that the lease is somebody
 * else's, or when no renewal got through for a whole lease. A late renewal is still tried first (a machine may have
 * slept): only the store knows whether anybody took the issue meanwhile.
 *
 * @returns the way to stop
 */
export function renewLease(deps: { runs: RunStore; log: Log }, execution: IssueExecution, leaseMs: number): () => void {
  let renewedAt = performance.now();
  let busy = false;

  function giveUpIfExpired(): void {
    if (performance.now() - renewedAt >= leaseMs) execution.end('lease_lost');
  }

  async function renew(): Promise<void> {
    const began = performance.now();
    try {
      if (await deps.runs.renew(execution.lease, leaseMs)) renewedAt = began;
      else execution.end('lease_lost');
    } catch (error) {
      deps.log.warn({ err: error, issueId: execution.lease.issueId }, 'a lease could not be renewed');
      giveUpIfExpired();
    }
  }

  const timer = setInterval(() => {
    if (busy) {
      giveUpIfExpired();
      return;
    }
    busy = true;
    void renew().finally(() => {
      busy = false;
    });
  }, leaseMs / RENEWALS_PER_LEASE);
  return () => clearInterval(timer);
}
