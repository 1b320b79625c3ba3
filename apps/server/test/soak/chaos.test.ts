import { setTimeout as pause } from 'node:timers/promises';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import type { FaultName, FaultSchedule } from '../chaos/faults.ts';
import { runChaos } from '../chaos/run-chaos.ts';

/** The number of events after which each fault occurs, once. Three approved issues have more than seventy. */
const dueAfter = new Map<FaultName, number>([
  ['redis', 4],
  ['killWorker', 12],
  ['terminate', 30],
  ['stopApi', 40],
  ['restartPostgres', 50],
]);
const POLL_MS = 20;

const onceEach: FaultSchedule = {
  faults: [...dueAfter.keys()],
  async isDue(fault, { occurred, events, signal }) {
    if (occurred > 0) return false;
    do await pause(POLL_MS);
    while (events() < (dueAfter.get(fault) ?? 0) && !signal.aborted);
    return true;
  },
};

// With two hundred issues: npm run soak -- chaos
it.runIf(isSoakRun)(
  'completes every issue once while each process and service fails, with all slots taken',
  async () => {
    const report = await runChaos({
      apis: 2,
      workers: 2,
      issues: 3,
      repositories: 3,
      cap: 2,
      minutes: 4,
      seed: 20_261_121,
      schedule: onceEach,
    });
    expect(report.violations).toEqual([]);
  },
);
