import type { EventsWritten, SignalListener, Signals } from '@sluice/core/issue';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { SimProcess } from './sim-process.ts';

/** Chances of faults of hints; all are 0 once faults have stopped. */
export interface HintFaults {
  lostHint: number;
  doubledHint: number;
}

/** Hints between processes: to each process separately, late, lost and doubled. */
export interface SignalsNet {
  /** The signals of one process. They end with it. */
  of(process: SimProcess): Signals;
  /** Spreads what a store reports after a commit. */
  eventsWritten(hint: EventsWritten): void;
}

interface Subscription {
  readonly process: SimProcess;
  readonly issueId: string | null;
  readonly listener: SignalListener;
}

export function createSignalsNet({
  schedule,
  random,
  faults,
}: {
  schedule: Schedule;
  random: Random;
  faults: HintFaults;
}): SignalsNet {
  const subscriptions = new Map<SimProcess, Set<Subscription>>();
  /** The newest hint on its way for each issue, by process. */
  const onTheWay = new Map<SimProcess, Map<string, EventsWritten>>();

  function deliver(process: SimProcess, hint: EventsWritten): void {
    for (const { issueId, listener } of [...(subscriptions.get(process) ?? [])]) {
      if (issueId === null || issueId === hint.issueId) listener.onEvents?.(hint);
    }
  }

  function send(process: SimProcess, hint: EventsWritten): void {
    const waiting = onTheWay.get(process) ?? new Map<string, EventsWritten>();
    onTheWay.set(process, waiting);
    const isUnderWay = waiting.size > 0;
    waiting.set(hint.issueId, hint);
    if (isUnderWay) return;
    schedule.park({
      label: 'hints',
      owner: process,
      go() {
        const hints = [...waiting.values()];
        waiting.clear();
        for (const one of hints) {
          deliver(process, one);
          if (random.chance(faults.doubledHint)) deliver(process, one);
        }
      },
    });
  }

  return {
    eventsWritten(hint) {
      for (const [process, its] of subscriptions) {
        if (process.isDead() || its.size === 0 || random.chance(faults.lostHint)) continue;
        send(process, hint);
      }
    },
    of: (process) => ({
      eventsWritten: () => undefined,
      live: () => undefined,
      sessionEnded: () => undefined,
      accessChanged: () => undefined,
      subscribe(issueId, listener) {
        const its = subscriptions.get(process) ?? new Set();
        subscriptions.set(process, its);
        const one: Subscription = { process, issueId, listener };
        its.add(one);
        return () => void its.delete(one);
      },
    }),
  };
}
