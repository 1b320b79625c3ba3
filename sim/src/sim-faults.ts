import type { JobFaults } from './job-net.ts';
import type { NetworkFaults } from './outside.ts';
import type { HintFaults } from './signals-net.ts';
import type { CallFaults } from './sim-process.ts';

/** The chance of each fault. */
export interface SimFaults extends CallFaults, NetworkFaults, HintFaults, JobFaults {
  /** At a step: something happens to a process. */
  freeze: number;
  kill: number;
  cut: number;
  drain: number;
  /** At a step: it takes so long that leases end. */
  slow: number;
}

/** Often enough that a run of some hundred steps meets several, seldom enough that work goes on between them. */
export const USUAL_FAULTS: Readonly<SimFaults> = {
  lostAnswer: 0.004,
  lateAnswer: 0.15,
  lostRequest: 0.02,
  lostResponse: 0.03,
  lateEffect: 0.03,
  lostHint: 0.1,
  doubledHint: 0.1,
  lostJob: 0.05,
  doubledJob: 0.1,
  freeze: 0.006,
  kill: 0.004,
  cut: 0.003,
  drain: 0.001,
  slow: 0.002,
};

/** Sets every chance to zero: from here on everything works. */
export function stopFaults(faults: SimFaults): void {
  for (const name of Object.keys(faults) as (keyof SimFaults)[]) faults[name] = 0;
}
