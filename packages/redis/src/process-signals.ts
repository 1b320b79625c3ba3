import type { EventsWritten, LiveEvent, SignalListener, Signals } from '@sluice/core/issue';

/** Signals within one process. An error of a listener does not affect the others. */
export interface ProcessSignals extends Signals {
  /** The number of listeners, to detect leaks. */
  listenerCount(): number;
}

/**
 * Signals within this process, delivered at once and in order.
 *
 * @param onListenerError receives what a listener threw; a listener must not stop the writer that signals
 */
export function createProcessSignals(onListenerError: (error: unknown) => void = () => {}): ProcessSignals {
  const everyIssue = new Set<SignalListener>();
  const byIssue = new Map<string, Set<SignalListener>>();

  const notify = (listeners: Iterable<SignalListener>, deliver: (listener: SignalListener) => void) => {
    // A copy, because a listener may unsubscribe during delivery.
    for (const listener of [...listeners]) {
      try {
        deliver(listener);
      } catch (error) {
        onListenerError(error);
      }
    }
  };
  const all = () => [...[...byIssue.values()].flatMap((some) => [...some]), ...everyIssue];
  const concerned = (issueId: string) => [...(byIssue.get(issueId) ?? []), ...everyIssue];

  return {
    eventsWritten: (hint: EventsWritten) => notify(concerned(hint.issueId), (listener) => listener.onEvents?.(hint)),
    live: (event: LiveEvent) => notify(concerned(event.issue_id), (listener) => listener.onLive?.(event)),
    sessionEnded: (sessionId: string) => notify(all(), (listener) => listener.onSessionEnded?.(sessionId)),
    accessChanged: (userId: string) => notify(all(), (listener) => listener.onAccessChanged?.(userId)),
    subscribe: (issueId: string | null, listener: SignalListener) => {
      // A wrapper, so that the same listener twice is two subscriptions, each with its own end.
      const own: SignalListener = { ...listener };
      const listeners = issueId === null ? everyIssue : (byIssue.get(issueId) ?? new Set());
      listeners.add(own);
      if (issueId !== null) byIssue.set(issueId, listeners);
      return () => {
        listeners.delete(own);
        if (issueId !== null && listeners.size === 0 && byIssue.get(issueId) === listeners) byIssue.delete(issueId);
      };
    },
    listenerCount: () => [...byIssue.values()].reduce((count, some) => count + some.size, everyIssue.size),
  };
}
