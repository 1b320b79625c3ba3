import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunStore } from '@sluice/core/agent';
import type { JobDriver, Lease } from '@sluice/core/issue';

const executions = new AsyncLocalStorage<{ lease: Lease | null }>();

/** The lease under which the caller's execution works; null: it has none. A process may have several for one issue. */
export const executionLease = (): Lease | null => executions.getStore()?.lease ?? null;

/** Has each execution that a driver starts carry its lease. */
export function carryingLeases<Driver extends JobDriver>(driver: Driver): Driver {
  return {
    ...driver,
    start: ({ concurrency, handle }) =>
      driver.start({ concurrency, handle: (issueId) => executions.run({ lease: null }, () => handle(issueId)) }),
  };
}

/** Gives an execution the lease that it claims. Outside the parking of calls: a parked call runs as the scheduler's. */
export function notingLeases(runs: RunStore): RunStore {
  return {
    ...runs,
    async claim(...asked) {
      const claimed = await runs.claim(...asked);
      const execution = executions.getStore();
      if (claimed !== null && execution !== undefined) execution.lease = claimed.lease;
      return claimed;
    },
  };
}
