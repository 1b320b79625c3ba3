import type { SluiceClient } from './create-sluice-client.ts';
import type { FollowedEvent } from './server-calls.ts';
import { type StreamOptions, takeStream } from './take-stream.ts';

const MAX_ISSUES = 10_000; // whose last event is remembered, to skip the few events that a server may send twice

export interface WatchAllOptions extends StreamOptions {
  /** The `after` of the last event that was handled; `'0'` begins with the whole history. Without it, from now on. */
  readonly after?: string | undefined;
}

export interface FollowedItem {
  readonly event: FollowedEvent;
  /** Resumes after this event, in a later program too. */
  readonly after: string;
}

/**
 * The events of all of the user's issues, including those created later: of each issue in order and once. It does not end
 * by itself. After a lost connection it resumes after the last event received. A `stream.opened` that is not the first event
 * says that the installation was restored from a backup: read the issues again.
 *
 * @throws SluiceError when the server refuses the stream; the signal's reason, at once, even if events are waiting
 */
export async function* watchAllIssues(
  client: Pick<SluiceClient, 'events'>,
  { after, ...how }: WatchAllOptions = {},
): AsyncGenerator<FollowedItem, void> {
  const lastSeqs = new Map<string, number>();
  let last = after;
  yield* takeStream<FollowedEvent, FollowedItem>({
    ...how,
    subscribe: (listener) => client.events.watch.subscribe(last === undefined ? {} : { after: last }, listener),
    take({ id, data: event }) {
      if (event.type === 'stream.opened') lastSeqs.clear(); // numbers of another history, if it was restored meanwhile
      if ('seq' in event) {
        const { issue_id, seq } = event;
        if (seq <= (lastSeqs.get(issue_id) ?? 0)) return null;
        lastSeqs.delete(issue_id); // to the end of the map: the oldest is forgotten first
        lastSeqs.set(issue_id, seq);
        const [oldest] = lastSeqs.keys();
        if (lastSeqs.size > MAX_ISSUES && oldest !== undefined) lastSeqs.delete(oldest);
      }
      last = id ?? last;
      return { event, after: last ?? '0' };
    },
  });
}
