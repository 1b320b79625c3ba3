import type { LiveEvent } from '@sluice/core/issue';
import type { StreamItem } from './stream-item.ts';

/** The next thing for a stream to do: read rows up to a sequence number, or pass on live text. */
export type StreamWork =
  | { readonly kind: 'rows'; upTo: number }
  | { readonly kind: 'live'; readonly item: StreamItem<LiveEvent, null> };

/** Live text comes at most every 50 ms, so this reader has taken nothing for most of a minute. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARACTERS = 1_048_576;

/**
 * Work that waits for one reader, in the order of the signals, so that live text never follows the message it is part of.
 * Rows wait as a number only; live text is bounded.
 */
export interface StreamQueue {
  rows(upTo: number): void;
  live(item: StreamItem<LiveEvent, null>): void;
  /** Ends the stream, with an error or quietly, and drops the waiting work. */
  close(error?: Error): void;
  isClosed(): boolean;
  /** The next work, or null once the stream has ended quietly. @throws the error that the queue was closed with */
  next(): Promise<StreamWork | null>;
}

/**
 * Creates the queue between the events and one stream.
 *
 * @param onOverflow called when the waiting live text exceeds its bound
 */
export function createStreamQueue(onOverflow: () => void): StreamQueue {
  const waiting: StreamWork[] = [];
  let characters = 0;
  let closed: Promise<null> | null = null;
  let taker: PromiseWithResolvers<StreamWork | null> | null = null;

  const add = (work: StreamWork) => {
    if (taker === null) waiting.push(work);
    else taker.resolve(work);
    taker = null;
  };
  return {
    rows: (upTo) => {
      if (closed !== null) return;
      const newest = waiting.at(-1);
      if (newest?.kind === 'rows') newest.upTo = Math.max(newest.upTo, upTo);
      else add({ kind: 'rows', upTo });
    },
    live: (item) => {
      if (closed !== null) return;
      add({ kind: 'live', item });
      if (waiting.length === 0) return;
      characters += item.event.data.text.length;
      if (waiting.length > MAX_WAITING || characters > MAX_WAITING_CHARACTERS) onOverflow();
    },
    close: (error) => {
      if (closed !== null) return;
      closed = error === undefined ? Promise.resolve(null) : Promise.reject(error);
      closed.catch(() => {}); // the reader may never ask
      waiting.length = 0;
      taker?.resolve(closed);
      taker = null;
    },
    isClosed: () => closed !== null,
    next: () => {
      if (closed !== null) return closed;
      const work = waiting.shift();
      if (work === undefined) {
        taker = Promise.withResolvers();
        return taker.promise;
      }
      if (work.kind === 'live') characters -= work.item.event.data.text.length;
      return Promise.resolve(work);
    },
  };
}
