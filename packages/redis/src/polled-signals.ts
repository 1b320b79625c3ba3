import type { Signals } from '@sluice/core/issue';
import type { ProcessSignals } from './process-signals.ts';

const POLL_MS = 1_000; // as often as streams look at the rows while Redis is away

export interface PolledSignals extends Signals {
  close(): void;
}

/**
 * Signals for one of several processes that share a database but no Redis. The process cannot hear of the writes of
 * others, so its followers are signalled to read the rows every second.
 */
export function createPolledSignals(local: ProcessSignals): PolledSignals {
  const followed = new Map<symbol, string | null>();
  const poll = setInterval(() => {
    // A hint without an issue: followers of all issues hear every hint.
    for (const issueId of new Set(followed.values())) {
      local.eventsWritten({ issueId: issueId ?? '', userId: '', seq: Number.POSITIVE_INFINITY });
    }
  }, POLL_MS);
  poll.unref();
  return {
    eventsWritten: local.eventsWritten,
    live: local.live,
    sessionEnded: local.sessionEnded,
    accessChanged: local.accessChanged,
    subscribe: (issueId, listener) => {
      const leave = local.subscribe(issueId, listener);
      const own = Symbol();
      if (issueId !== null || listener.onEvents !== undefined) followed.set(own, issueId);
      return () => {
        leave();
        followed.delete(own);
      };
    },
    close: () => clearInterval(poll),
  };
}
