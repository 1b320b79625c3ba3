import type { Timers } from '@sluice/core/async';
import type { ChangedSubject } from '@sluice/core/code-host';
import { subjectKey } from './sync-context.ts';

/**
 * Keeps a pause between two syncs of the same subject by this process. In a burst of deliveries a subject is marked again
 * right after its sync, and the host would be asked as fast as it answers.
 */
export function createRecentSyncs(timers: Timers, pauseMs: number) {
  const syncedAt = new Map<string, number>(); // the oldest first
  return {
    note(subject: ChangedSubject): void {
      const now = timers.now();
      for (const [key, at] of syncedAt) {
        if (now - at < pauseMs) break;
        syncedAt.delete(key);
      }
      syncedAt.delete(subjectKey(subject));
      syncedAt.set(subjectKey(subject), now);
    },
    /** The rest of the pause; 0 when it is over. */
    leftMs(subject: ChangedSubject): number {
      const at = syncedAt.get(subjectKey(subject));
      return at === undefined ? 0 : Math.max(0, Math.ceil(pauseMs - (timers.now() - at)));
    },
  };
}
