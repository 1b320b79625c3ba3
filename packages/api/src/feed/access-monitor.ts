import type { UserId } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';

/** Watches the roles of the users of open streams. */
export interface AccessMonitor {
  /** @param onChange called when the user's roles may have changed. @returns a function that stops watching */
  watch(userId: UserId, onChange: () => void): () => void;
}

export function createAccessMonitor({ signals }: { readonly signals: Pick<Signals, 'subscribe'> }): AccessMonitor {
  const watched = new Map<string, Set<() => void>>();
  let stopListening = () => {};
  return {
    watch: (userId, onChange) => {
      if (watched.size === 0) {
        stopListening = signals.subscribe(null, {
          onAccessChanged: (id) => {
            for (const call of [...(watched.get(id) ?? [])]) call();
          },
        });
      }
      const calls = watched.get(userId) ?? new Set();
      watched.set(userId, calls);
      const own = () => onChange();
      calls.add(own);
      return () => {
        if (!calls.delete(own) || calls.size > 0) return;
        watched.delete(userId);
        if (watched.size === 0) stopListening();
      };
    },
  };
}
