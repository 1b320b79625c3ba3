import type { IssueEvent } from '@sluice/client';

/** How far a reader has come in the history of an issue. */
export interface StreamPosition {
  /** The number of the last event that was taken; 0 before the first. */
  readonly seq: number;
  /** The server's own name for that place, which it knows again even after a restore from a backup. */
  readonly token: string | null;
  /** When the last event was written: tells it from one that has the same number in another history. */
  readonly at: string | null;
}

export const beginning: StreamPosition = { seq: 0, token: null, at: null };

/** Where a stream starts so that nothing is missed: one event early while the server's name for the place is unknown. */
export function resumeAfter({ seq, token }: StreamPosition): number | string | undefined {
  if (token !== null) return token;
  return seq > 1 ? seq - 1 : undefined;
}

/**
 * What a message of the stream is to a reader at `position`: the next event, one that was taken before, or the first of
 * another history, because the installation was restored from a backup.
 */
export function judgeMessage(
  position: StreamPosition,
  id: string | undefined,
  event: IssueEvent,
): 'next' | 'repeated' | 'other_history' {
  if (position.seq === 0) return 'next';
  const isSameHistory =
    position.token === null || id === undefined
      ? event.seq > position.seq || event.at === position.at
      : historyOf(id) === historyOf(position.token);
  if (!isSameHistory) return 'other_history';
  return event.seq > position.seq ? 'next' : 'repeated';
}

/** The epoch in an event's id: another text after each restore. */
function historyOf(id: string): string {
  return id.slice(0, id.lastIndexOf(':') + 1);
}
