import type { Connection, StreamListener } from './call.ts';

const MAX_WAITING = 1_000; // a loop this far behind lets go of the stream until it has caught up

export interface StreamOptions {
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection is lost, and when it is back. */
  readonly onConnection?: ((state: Connection) => void) | undefined;
}

interface Stream<Event, Item> extends StreamOptions {
  /** Subscribes after the last item that was taken. */
  subscribe(listener: StreamListener<Event>): { unsubscribe(): void };
  /** The item for a message; null when it was received before. */
  take(message: { readonly id?: string; readonly data: Event }): Item | null;
}

/**
 * Turns a subscription into a loop. Items wait until the loop asks for them, and leaving the loop unsubscribes. A slow loop
 * is subscribed again once it has taken what waits: it misses live text then, but no event.
 *
 * @throws SluiceError when the server refuses the stream; the signal's reason, at once, even if items are waiting
 */
export async function* takeStream<Event, Item>(stream: Stream<Event, Item>): AsyncGenerator<Item, void> {
  const { signal, onConnection } = stream;
  signal?.throwIfAborted();
  const waiting: Item[] = [];
  let end: { failure?: unknown } | null = null;
  let wake: () => void = () => {};
  const follow = () => {
    let isOpen = true;
    const finish = (how: { failure?: unknown }) => {
      if (!isOpen) return;
      end ??= how;
      wake();
    };
    const subscription = stream.subscribe({
      onData(message) {
        const item = isOpen ? stream.take(message) : null;
        if (item === null) return;
        waiting.push(item);
        if (waiting.length >= MAX_WAITING) close();
        wake();
      },
      onError: (failure) => finish({ failure }),
      onComplete: () => finish({}),
      ...(onConnection === undefined ? {} : { onConnection }),
    });
    const close = () => {
      isOpen = false;
      subscription.unsubscribe();
    };
    return { close, isOpen: () => isOpen };
  };
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  let current = follow();
  const hasEnded = () => end;
  // A program that awaits the next event must not end: between two attempts to connect, nothing else keeps Node running.
  const alive = setInterval(() => {}, 60_000);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const item = waiting.shift();
      const ended = hasEnded();
      if (item !== undefined) yield item;
      else if (!current.isOpen()) current = follow();
      else if (ended === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('failure' in ended) throw ended.failure;
      else return;
    }
  } finally {
    clearInterval(alive);
    signal?.removeEventListener('abort', onAbort);
    current.close();
  }
}
