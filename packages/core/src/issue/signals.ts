import type { LiveEvent } from './event-catalog.ts';

/** A hint that events were written. Readers read the rows, so a lost or duplicate hint does no harm. */
export interface EventsWritten {
  readonly issueId: string;
  /** The repository of the issue. Absent where signals may have been lost, and in a signal of the release before. */
  readonly repoId?: string;
  readonly userId: string;
  readonly seq: number;
  /** The epoch of the writer's lease; absent for writes without a lease. */
  readonly epoch?: number;
}

export interface SignalListener {
  onEvents?(hint: EventsWritten): void;
  onLive?(event: LiveEvent): void;
  /** A session, or an API token, ended, so its streams must close. */
  onSessionEnded?(sessionId: string): void;
  /** The user's roles have changed: in one repository, or in any. */
  onAccessChanged?(userId: string): void;
}

/** Signals between processes: in process, or over pub/sub. */
export interface Signals {
  eventsWritten(hint: EventsWritten): void;
  live(event: LiveEvent): void;
  sessionEnded(sessionId: string): void;
  accessChanged(userId: string): void;
  /**
   * Subscribes to one issue, or to all when `issueId` is null. A hint without a `userId` means that hints may have been
   * lost. @returns a function that unsubscribes
   */
  subscribe(issueId: string | null, listener: SignalListener): () => void;
}
