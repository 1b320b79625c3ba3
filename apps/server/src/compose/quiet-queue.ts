import { systemTimers } from '@sluice/core/async';
import { createGraphileDriver } from '@sluice/worker';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The queue's tables, for a command that migrates the database and runs no jobs. */
export function quietQueue(target: { readonly url: string; readonly applicationName: string }) {
  return createGraphileDriver({ ...target, timers: systemTimers, log: silent }).queue;
}
