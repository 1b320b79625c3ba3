import type { StepRecord } from '../port/run-store.ts';

/** How long an issue was worked on, in milliseconds: its stage runs that have an end, added up. */
export function activeMs(steps: readonly StepRecord[]): number {
  return steps.reduce(
    (sum, { startedAt, finishedAt }) => sum + (finishedAt === null ? 0 : finishedAt.getTime() - startedAt.getTime()),
    0,
  );
}
