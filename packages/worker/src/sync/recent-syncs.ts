import type { ChangedSubject } from '@sluice/core';
import { subjectKey } from './sync-context.ts';

/**
 * Keeps a pause between two looks of this process at the same subject: in a burst of deliveries what was looked at is
 * marked again at once, and the host would be asked as often as it can answer.
 */
export function createRecentSyncs(pauseMs: number) {
  const lookedAt = new Map<string, number>(); // the oldest first
  return {
    note(subject: ChangedSubject): void {
      const now = performance.now();
      for (const [key, at] of lookedAt) {
        if (now - at < pauseMs) break;
        lookedAt.delete(key);
      }
      lookedAt.delete(subjectKey(subject));
      lookedAt.set(subjectKey(subject), now);
    },
    /** How long the pause has to last yet; 0 when it is over. */
    leftMs(subject: ChangedSubject): number {
      const at = lookedAt.get(subjectKey(subject));
      return at === undefined ? 0 : Math.max(0, Math.ceil(pauseMs - (performance.now() - at)));
    },
  };
}
