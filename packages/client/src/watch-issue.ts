import type { SluiceClient } from './create-sluice-client.ts';
import type { WatchedEvent } from './server-calls.ts';
import { type StreamOptions, takeStream } from './take-stream.ts';

export interface WatchOptions extends StreamOptions {
  /** The `seq` of the last event that was handled before. */
  readonly after?: number | undefined;
}

/**
 * The events of an issue: its history, then new events as they happen, with live text between them. Ends after the event
 * that ends the issue. After a lost connection it resumes after the last event received.
 *
 * @throws SluiceError when the server refuses the stream; the signal's reason, at once, even if events are waiting
 */
export async function* watchIssue(
  client: Pick<SluiceClient, 'issues'>,
  id: string,
  { after = 0, ...how }: WatchOptions = {},
): AsyncGenerator<WatchedEvent, void> {
  let last = after;
  yield* takeStream<WatchedEvent, WatchedEvent>({
    ...how,
    subscribe: (listener) => client.issues.events.subscribe(last === 0 ? { id } : { id, after: last }, listener),
    take({ data: event }) {
      // Whatever a server or a proxy sends twice, an event is given once.
      if ('seq' in event) {
        if (event.seq <= last) return null;
        last = event.seq;
      }
      return event;
    },
  });
}
