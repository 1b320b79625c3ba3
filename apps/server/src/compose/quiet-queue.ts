import { createGraphileDriver } from '@sluice/worker';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The queue's half that belongs to the tables, for a command that migrates and drives nothing. */
export function quietQueue(target: { readonly url: string; readonly applicationName: string }) {
  return createGraphileDriver({ ...target, log: silent }).queue;
}
