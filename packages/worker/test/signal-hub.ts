import type { LiveEvent, SignalListener, Signals } from '@sluice/core/issue';

/** Signals within this process, with all live text kept for the test to read. */
export function signalHub(): Signals & { readonly heardLive: LiveEvent[] } {
  const listeners = new Set<{ issueId: string | null; listener: SignalListener }>();
  const heardLive: LiveEvent[] = [];
  const concerned = (issueId: string) =>
    [...listeners].filter((entry) => entry.issueId === null || entry.issueId === issueId);
  return {
    heardLive,
    eventsWritten(hint) {
      for (const { listener } of concerned(hint.issueId)) listener.onEvents?.(hint);
    },
    live(event) {
      heardLive.push(event);
      for (const { listener } of concerned(event.issue_id)) listener.onLive?.(event);
    },
    sessionEnded(sessionId) {
      for (const { listener } of listeners) listener.onSessionEnded?.(sessionId);
    },
    accessChanged(userId) {
      for (const { listener } of listeners) listener.onAccessChanged?.(userId);
    },
    subscribe(issueId, listener) {
      const entry = { issueId, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}
