import { setTimeout as pause } from 'node:timers/promises';
import type { FaultName, FaultSchedule } from './faults.ts';

/** The interval of each fault in milliseconds; the first one comes after half of it. */
export type FaultPace = Readonly<Record<FaultName, number>> & {
  /** How often Postgres is restarted at most. */
  readonly postgresRestarts: number;
};

/** Repeats each fault at its interval. */
export function atPace({ postgresRestarts, ...intervals }: FaultPace): FaultSchedule {
  return {
    faults: Object.keys(intervals) as FaultName[],
    async isDue(fault, { before, signal }) {
      if (fault === 'restartPostgres' && before >= postgresRestarts) return false;
      const ms = before === 0 ? intervals[fault] / 2 : intervals[fault];
      await pause(ms, undefined, { signal }).catch(() => undefined);
      return true;
    },
  };
}
