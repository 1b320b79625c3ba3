import type { SluiceClient } from './create-sluice-client.ts';
import type { WatchedEvent } from './server-calls.ts';
import { type StreamOptions, takeStream } from './take-stream.ts';

export interface WatchOptions extends StreamOptions {
  /** The `seq` of the last event that was handled before. */
  readonly after?: number | undefined;
}

/**
 * The events of an issue: its history, then new events as they happen, with live text between them. Ends after the event
 * that ends the issue. After a lost connection it resumes after the last event received. When the installation was restored
 * from a backup meanwhile, the history comes again from its first event.
 *
 * @throws SluiceError when the server refuses the stream; the signal's reason, at once, even if events are waiting
 */
export async function* watchIssue(
  client: Pick<SluiceClient, 'issues'>,
  id: string,
  { after = 0, ...how }: WatchOptions = {},
): AsyncGenerator<WatchedEvent, void> {
  let last = after;
  let resume: number | string = after;
  let history: string | null = null; // unknown before the first event
  yield* takeStream<WatchedEvent, WatchedEvent>({
    ...how,
    subscribe: (listener) => client.issues.events.subscribe(resume === 0 ? { id } : { id, after: resume }, listener),
    take({ id: eventId, data: event }) {
      if ('seq' in event) {
        // Whatever a server or a proxy sends twice, an event is given once. A history that starts over is another one: the
        // installation was restored from a backup.
        const from = historyOf(eventId);
        const isNewHistory = history === null ? event.seq === 1 : history !== from;
        if (event.seq <= last && !isNewHistory) return null;
        history = from;
        last = event.seq;
        resume = eventId ?? last;
      }
      return event;
    },
  });
}

/** The epoch in an event's id: another text after each restore from a backup. */
function historyOf(eventId = ''): string {
  return eventId.slice(0, eventId.lastIndexOf(':') + 1);
}
