import type { Signals } from '@sluice/core';
import type { ProcessSignals } from './process-signals.ts';

const POLL_MS = 1_000; // as often as streams look at the rows while Redis is away

export interface PolledSignals extends Signals {
  close(): void;
}

/**
 * Signals of one process of several that share a database and nothing else: nobody hears of what the others write, so
 * whoever follows an issue, or all of them, is sent to look at the rows every second.
 */
export function createPolledSignals(local: ProcessSignals): PolledSignals {
  const followed = new Map<symbol, string | null>();
  const poll = setInterval(() => {
    // Of no issue at all: those who follow every one hear it with any other's too.
    for (const issueId of new Set(followed.values())) {
      local.eventsWritten({ issueId: issueId ?? '', userId: '', seq: Number.POSITIVE_INFINITY });
    }
  }, POLL_MS);
  poll.unref();
  return {
    eventsWritten: local.eventsWritten,
    live: local.live,
    sessionEnded: local.sessionEnded,
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
