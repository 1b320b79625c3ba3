import { AppError } from '@sluice/core/error';
import { credentialId } from '../identity/session/credential.ts';
import type { Reader } from './open-streams.ts';

/** A browser opens six connections to a server and a program needs one stream; ten clients share a session at most. */
export const MAX_STREAMS_PER_SESSION = 50;
/** An event reaches a user's streams in one turn of the event loop, which 200 of them block for about 50 ms. */
export const MAX_STREAMS_PER_USER = 200;
/** After one heartbeat, silently lost connections are closed. */
const RETRY_AFTER_MS = 15_000;

/** Counts the open streams of a process, over REST and tRPC together. */
export interface StreamSlots {
  /**
   * Takes a slot until the reader's connection is closed.
   *
   * @throws AppError `too_many_streams`
   */
  take(reader: Reader): void;
}

export function createStreamSlots(): StreamSlots {
  const bySession = new Map<string, number>();
  const byUser = new Map<string, number>();
  return {
    take: (reader) => {
      const { gone, caller } = reader;
      const { userId } = caller;
      const id = credentialId(reader);
      if (gone.aborted) return; // nothing will be streamed, and nothing would free the slot
      refuseFrom(MAX_STREAMS_PER_SESSION, bySession.get(id), reader.session === null ? 'API token' : 'session');
      refuseFrom(MAX_STREAMS_PER_USER, byUser.get(userId), 'user');
      add(bySession, id, 1);
      add(byUser, userId, 1);
      const release = () => {
        add(bySession, id, -1);
        add(byUser, userId, -1);
      };
      gone.addEventListener('abort', release, { once: true });
    },
  };
}

function refuseFrom(limit: number, open: number | undefined, owner: 'session' | 'API token' | 'user'): void {
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
