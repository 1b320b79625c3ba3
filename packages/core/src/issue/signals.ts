import type { LiveEvent } from './event-catalog.ts';

/** Says that rows were written. Only ever a hint: readers read the rows, so a lost or doubled one shows nothing wrong. */
export interface EventsWritten {
  readonly issueId: string;
  readonly userId: string;
  readonly seq: number;
  /** Of the lease under which it was written; none where it was written from outside. */
  readonly epoch?: number;
}

export interface SignalListener {
  onEvents?(hint: EventsWritten): void;
  onLive?(event: LiveEvent): void;
  /** A session was ended; streams that it opened must close. */
  onSessionEnded?(sessionId: string): void;
}

/** What processes tell each other: in process, or over pub/sub. */
export interface Signals {
  eventsWritten(hint: EventsWritten): void;
  live(event: LiveEvent): void;
  sessionEnded(sessionId: string): void;
  /**
   * Hears of one issue, or of all when `issueId` is null: also, without a `userId`, that whatever was written may not have
   * been said. Returns the way to stop listening.
   */
  subscribe(issueId: string | null, listener: SignalListener): () => void;
}
