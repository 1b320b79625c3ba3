import type { AttemptRecord } from './attempt-store.ts';

/**
 * The time for which an issue was worked on, in milliseconds: the sum of its attempts. Interrupted attempts do not count:
 * their recorded end is the time of detection, maybe hours after the worker died. An attempt that ended before it began,
 * because the clock was set back, counts as zero.
 */
export function activeMs(attempts: readonly AttemptRecord[]): number {
  const ended = attempts.filter(({ outcome }) => outcome !== 'interrupted');
  return ended.reduce(
    (sum, { startedAt, finishedAt }) =>
      sum + (finishedAt === null ? 0 : Math.max(0, finishedAt.getTime() - startedAt.getTime())),
    0,
  );
}
