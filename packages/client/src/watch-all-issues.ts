import type { SluiceClient } from './create-sluice-client.ts';
import type { FollowedEvent } from './server-calls.ts';
import { type StreamOptions, takeStream } from './take-stream.ts';

export interface WatchAllOptions extends StreamOptions {
  /** The `after` of the last event that was dealt with; `'0'`: begin with the whole history. Without it, from now on. */
  readonly after?: string | undefined;
}

export interface FollowedItem {
  readonly event: FollowedEvent;
  /** Goes on behind this event, in a later program too. */
  readonly after: string;
}

/**
 * The written events of all of the user's issues, of each issue in its order and once, also of those that are made later.
 * It does not end by itself. A dropped connection is taken up again after the last event that was seen.
 *
 * @throws what the server refused the stream with, or the signal's reason (at once: what still waits is not given)
 */
export async function* watchAllIssues(
  client: Pick<SluiceClient, 'events'>,
  { after, ...how }: WatchAllOptions = {},
): AsyncGenerator<FollowedItem, void> {
  const seen = new Map<string, number>();
  let here = after ?? '0';
  yield* takeStream<FollowedEvent, FollowedItem>({
    ...how,
    subscribe: (listener) => client.events.watch.subscribe(after === undefined ? {} : { after }, listener),
    take({ id, data: event }) {
      // After a long stretch a few come twice.
      if ('seq' in event) {
        if (event.seq <= (seen.get(event.issue_id) ?? 0)) return null;
        seen.set(event.issue_id, event.seq);
      }
      here = id ?? here;
      return { event, after: here };
    },
  });
}
