import type { IssueEvent, LiveEvent } from '@sluice/core/issue';

export type StreamedEvent = IssueEvent | LiveEvent;

/** An event on its way to readers. Streams of one issue share their items, so that each is rendered once. */
export interface StreamItem<Event = StreamedEvent, Id = string | null> {
  /** Resumes after this event; null for live text, which is not sent again. */
  readonly id: Id;
  readonly event: Event;
  /** The bytes of the event in a Server-Sent Events response. */
  frame(): Buffer;
}

export function createStreamItem<Event extends { readonly type: string }, Id extends string | null>(
  id: Id,
  event: Event,
): StreamItem<Event, Id> {
  let frame: Buffer | undefined;
  return {
    id,
    event,
    frame: () => {
      frame ??= Buffer.from(
        `${id === null ? '' : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      return frame;
    },
  };
}
