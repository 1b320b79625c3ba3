import type { SluiceClient } from './create-sluice-client.ts';
import type { WatchedEvent } from './server-calls.ts';
import { type StreamOptions, takeStream } from './take-stream.ts';

export interface WatchOptions extends StreamOptions {
  /** The `seq` of the last event that was seen already. */
  readonly after?: number | undefined;
}

/**
 * The events of an issue: those that there are, then the new ones as they come, and live text between them. Ends
 * after the event that ends the issue. A dropped connection is taken up again after the last event that was seen.
 *
 * @throws what the server refused the stream with, or the signal's reason (at once: what still waits is not given)
 */
export async function* watchIssue(
  client: Pick<SluiceClient, 'issues'>,
  id: string,
  { after = 0, ...how }: WatchOptions = {},
): AsyncGenerator<WatchedEvent, void> {
  let last = after;
  yield* takeStream<WatchedEvent, WatchedEvent>({
    ...how,
    subscribe: (listener) => client.issues.events.subscribe(after === 0 ? { id } : { id, after }, listener),
    take({ data: event }) {
      // What was seen is not given again, whatever a server or a proxy sends twice.
      if ('seq' in event) {
        if (event.seq <= last) return null;
        last = event.seq;
      }
      return event;
    },
  });
}
