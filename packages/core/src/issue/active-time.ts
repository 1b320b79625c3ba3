import type { AttemptRecord } from './attempt-store.ts';

/**
 * How long an issue was worked on, in milliseconds: its stage runs that came to an end of their own, added up. One that
 * was cut off does not count: its end in the record is when that was noticed, maybe hours after its worker died. Nor
 * does one that ended before it began, under a clock that was put back: it would give time to the others.
 */
export function activeMs(steps: readonly AttemptRecord[]): number {
  const ended = steps.filter(({ outcome }) => outcome !== 'interrupted');
  return ended.reduce(
    (sum, { startedAt, finishedAt }) =>
      sum + (finishedAt === null ? 0 : Math.max(0, finishedAt.getTime() - startedAt.getTime())),
    0,
  );
}
