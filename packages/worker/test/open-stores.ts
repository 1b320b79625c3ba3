import type { JobSink, Signals } from '@sluice/core/issue';
import type { Stores } from '@sluice/db';
import { openScratch } from '@sluice/db/scratch';

export type { Stores };

/** The real stores on a database of their own, which is gone when it is closed. */
export function openStores(options: {
  signals: Signals;
  sink: JobSink;
  cap: number;
  gateKeepsSlot?: boolean;
}): Promise<Stores> {
  const { signals, sink, cap, gateKeepsSlot } = options;
  return openScratch({
    clock: { now: () => new Date() },
    maxActivePipelines: cap,
    gateKeepsSlot,
    onEvents: (hint) => signals.eventsWritten(hint),
    onRunnable: (ids) => sink.runnable(ids),
    onListenerError: (error) => {
      throw error;
    },
  });
}
