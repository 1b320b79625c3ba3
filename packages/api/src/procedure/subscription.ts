import { toTrpcError } from '../error/to-trpc-error.ts';
import type { EventStream } from '../feed/issue-feed.ts';
import type { StreamItem } from '../feed/stream-item.ts';

/**
 * The return value of a stream's procedure: tRPC iterates over its envelopes, and REST sends the stream's own items.
 */
export interface Subscription<Envelope> extends AsyncIterable<Envelope> {
  readonly stream: EventStream<StreamItem<unknown>>;
}

export function createSubscription<Item extends StreamItem<unknown>, Envelope>(
  stream: EventStream<Item>,
  toEnvelope: (item: Item) => Envelope,
): Subscription<Envelope> {
  return {
    stream,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const item of stream) yield toEnvelope(item);
      } catch (error) {
        throw toTrpcError(error); // the middleware that translates errors has finished when the stream begins
      }
    },
  };
}
