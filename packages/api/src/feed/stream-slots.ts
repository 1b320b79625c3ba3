import { AppError, type Session } from '@sluice/core';

/** A browser has six connections to a server and a program one stream for everything; ten clients share a session at most. */
export const MAX_STREAMS_PER_SESSION = 50;
/** An event reaches a user's streams in one turn of the loop: 200 of them cost about 50 ms of it. */
export const MAX_STREAMS_PER_USER = 200;
/** By then a heartbeat has found the connections that were lost silently. */
const RETRY_AFTER_MS = 15_000;

/** Counts the open streams of a process, over REST and tRPC together. Each process counts its own. */
export interface StreamSlots {
  /**
   * Takes a slot until the response has been closed, however that happens.
   *
   * @param closed fires when the response is closed
   * @throws AppError `too_many_streams`
   */
  take(session: Session, closed: AbortSignal): void;
}

export function createStreamSlots(): StreamSlots {
  const bySession = new Map<string, number>();
  const byUser = new Map<string, number>();
  return {
    take: ({ id, userId }, closed) => {
      if (closed.aborted) return; // the reader has left, and nothing will be streamed
      refuseFrom(MAX_STREAMS_PER_SESSION, bySession.get(id), 'session');
      refuseFrom(MAX_STREAMS_PER_USER, byUser.get(userId), 'user');
      add(bySession, id, 1);
      add(byUser, userId, 1);
      const release = () => {
        add(bySession, id, -1);
        add(byUser, userId, -1);
      };
      closed.addEventListener('abort', release, { once: true });
    },
  };
}

function refuseFrom(limit: number, open: number | undefined, owner: 'session' | 'user'): void {
  if (open === undefined || open < limit) return;
  throw new AppError('too_many_streams', {
    detail: `At most ${limit} event streams of one ${owner} may be open. Close one, or follow all issues by /api/events.`,
    limit,
    retryAfterMs: RETRY_AFTER_MS,
  });
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
