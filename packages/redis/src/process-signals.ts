import type { EventsWritten, LiveEvent, SignalListener, Signals } from '@sluice/core';

/** Signals between the parts of one process. A listener's throw is its own affair and reaches nobody else. */
export interface ProcessSignals extends Signals {
  /** How many listen at the moment: what a stream leaves behind shows here. */
  listenerCount(): number;
}

/**
 * Signals that stay in this process, delivered at once and in order.
 *
 * @param onListenerError told of what a listener threw; a listener must never stop the writer that signals
 */
export function createProcessSignals(onListenerError: (error: unknown) => void = () => {}): ProcessSignals {
  const everyIssue = new Set<SignalListener>();
  const byIssue = new Map<string, Set<SignalListener>>();

  const tell = (listeners: Iterable<SignalListener>, deliver: (listener: SignalListener) => void) => {
    // A copy: whoever stops listening because of the signal must not shift the others.
    for (const listener of [...listeners]) {
      try {
        deliver(listener);
      } catch (error) {
        onListenerError(error);
      }
    }
  };
  const concerned = (issueId: string) => [...(byIssue.get(issueId) ?? []), ...everyIssue];

  return {
    eventsWritten: (hint: EventsWritten) => tell(concerned(hint.issueId), (listener) => listener.onEvents?.(hint)),
    live: (event: LiveEvent) => tell(concerned(event.issue_id), (listener) => listener.onLive?.(event)),
    sessionEnded: (sessionId: string) =>
      tell([...[...byIssue.values()].flatMap((some) => [...some]), ...everyIssue], (listener) =>
        listener.onSessionEnded?.(sessionId),
      ),
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
