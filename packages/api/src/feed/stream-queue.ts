import type { LiveEvent } from '@sluice/core';

/** What a stream has to do next: look for written events (up to a sequence number), or pass on live text. */
type StreamWork = { readonly kind: 'written'; upTo: number } | { readonly kind: 'live'; readonly event: LiveEvent };

/** Live text comes at most every 50 ms, so this is a reader who has not read for most of a minute. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARACTERS = 1_048_576;

/**
 * What waits for one reader, in the order in which it happened, so that live text never follows the message that it
 * is part of. Written events wait as a number only; live text is bounded.
 */
export interface StreamInbox {
  written(upTo: number): void;
  live(event: LiveEvent): void;
  /** Ends the stream: with the reason, or quietly without one. What waits is dropped. */
  close(reason?: Error): void;
  /** The next work; null when the stream has ended quietly. @throws the reason of its end */
  next(): Promise<StreamWork | null>;
  isClosed(): boolean;
  /** Whether the reader has taken all that there was, and waits for more. */
  isAwaited(): boolean;
}

/** @param onOverflow called when the reader is so slow that the bound is passed */
export function createStreamInbox(onOverflow: () => void): StreamInbox {
  const waiting: StreamWork[] = [];
  let characters = 0;
  let closed: { readonly reason: Error | undefined } | null = null;
  let wake: (() => void) | null = null;

  const add = (work: StreamWork) => {
    waiting.push(work);
    wake?.();
  };
  return {
    written: (upTo) => {
      if (closed !== null) return;
      const newest = waiting.at(-1);
      if (newest?.kind === 'written') newest.upTo = Math.max(newest.upTo, upTo);
      else add({ kind: 'written', upTo });
    },
    live: (event) => {
      if (closed !== null) return;
      characters += event.data.text.length;
      add({ kind: 'live', event });
      if (waiting.length > MAX_WAITING || characters > MAX_WAITING_CHARACTERS) onOverflow();
    },
    close: (reason) => {
      if (closed !== null) return;
      closed = { reason };
      waiting.length = 0;
      wake?.();
    },
    isClosed: () => closed !== null,
    isAwaited: () => wake !== null && waiting.length === 0 && closed === null,
    next: async () => {
      for (;;) {
        if (closed !== null) {
          if (closed.reason !== undefined) throw closed.reason;
          return null;
        }
        const work = waiting.shift();
        if (work !== undefined) {
          if (work.kind === 'live') characters -= work.event.data.text.length;
          return work;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      }
    },
  };
}
