import type { Connection, StreamListener } from './call.ts';

export interface StreamOptions {
  /** Ends the watch, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told when the connection is lost, and when it is there again. */
  readonly onConnection?: ((state: Connection) => void) | undefined;
}

interface Stream<Event, Item> extends StreamOptions {
  subscribe(listener: StreamListener<Event>): { unsubscribe(): void };
  /** What the loop is given for a message; null: nothing, because it was seen. */
  take(message: { readonly id?: string; readonly data: Event }): Item | null;
}

/**
 * A subscription as a loop: what came waits until it is asked for. Leaving the loop lets go of the stream.
 *
 * @throws what the server refused the stream with, or the signal's reason (at once: what still waits is not given)
 */
export async function* takeStream<Event, Item>(stream: Stream<Event, Item>): AsyncGenerator<Item, void> {
  const { signal, onConnection } = stream;
  signal?.throwIfAborted();
  const waiting: Item[] = [];
  let end: { failure?: unknown } | null = null;
  let wake: () => void = () => {};
  const finish = (how: { failure?: unknown }) => {
    end ??= how;
    wake();
  };
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  const subscription = stream.subscribe({
    onData(message) {
      const item = stream.take(message);
      if (item === null) return;
      waiting.push(item);
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
      const item = waiting.shift();
      if (item !== undefined) {
        yield item;
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
