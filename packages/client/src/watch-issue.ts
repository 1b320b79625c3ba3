import type { Connection } from './call.ts';
import type { SluiceClient } from './create-sluice-client.ts';
import type { WatchedEvent } from './server-calls.ts';

export interface WatchOptions {
  /** Ends the watch, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The `seq` of the last event that was seen already. */
  readonly after?: number | undefined;
  /** Told when the connection is lost, and when it is there again. */
  readonly onConnection?: ((state: Connection) => void) | undefined;
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
  { signal, after = 0, onConnection }: WatchOptions = {},
): AsyncGenerator<WatchedEvent, void> {
  signal?.throwIfAborted();
  let last = after;
  const waiting: WatchedEvent[] = [];
  let end: { failure?: unknown } | null = null;
  let wake: () => void = () => {};
  const finish = (how: { failure?: unknown }) => {
    end ??= how;
    wake();
  };
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  const subscription = client.issues.events.subscribe(after === 0 ? { id } : { id, after }, {
    onData({ data: event }) {
      // What was seen is not given again, whatever a server or a proxy sends twice.
      if ('seq' in event) {
        if (event.seq <= last) return;
        last = event.seq;
      }
      waiting.push(event);
      wake();
    },
    onError: (failure) => finish({ failure }),
    onComplete: () => finish({}),
    ...(onConnection === undefined ? {} : { onConnection }),
  });
  const hasEnded = () => end;
  // Who awaits the next event is still at work: between two tries to connect nothing else would keep Node from ending.
  const alive = setInterval(() => {}, 60_000);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const event = waiting.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      const ended = hasEnded();
      if (ended === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('failure' in ended) throw ended.failure;
      else return;
    }
  } finally {
    clearInterval(alive);
    signal?.removeEventListener('abort', onAbort);
    subscription.unsubscribe();
  }
}
