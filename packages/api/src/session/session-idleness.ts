import type { Session, SessionStore } from '@sluice/core';
import type { ApiDeps, ApiOptions } from '../service/api-deps.ts';

/** A session is written down as seen no more often than this, so that reading stays reading. */
const SEEN_EVERY_MS = 60_000;
/** Nor less often than so many times within its idle lifetime: or one in use would end. */
const TIMES_IN_A_LIFE = 10;

type IdleOptions = Pick<ApiOptions, 'sessionIdleTtlMs'>;

/** When a session that was used just now ends if it is left alone; null: not by that. */
export function idleEnd({ sessionIdleTtlMs = 0 }: IdleOptions, now: Date): Date | null {
  return sessionIdleTtlMs === 0 ? null : new Date(now.getTime() + sessionIdleTtlMs);
}

interface SeenDeps extends Pick<ApiDeps, 'clock' | 'log'> {
  readonly sessions: Pick<SessionStore, 'touch'>;
  readonly options: IdleOptions;
}

/**
 * Notes that a session is in use, where that was not done a moment ago. Of the requests that come together one waits for
 * the write; none fails by it: whoever may read may read.
 */
export function createSessionWatch({ sessions, clock, log, options }: SeenDeps): (session: Session) => Promise<void> {
  const { sessionIdleTtlMs = 0 } = options;
  const everyMs = sessionIdleTtlMs === 0 ? SEEN_EVERY_MS : Math.min(SEEN_EVERY_MS, sessionIdleTtlMs / TIMES_IN_A_LIFE);
  const underWay = new Set<string>();
  return async ({ id, lastSeenAt }) => {
    const now = clock.now();
    const unseenSince = new Date(now.getTime() - everyMs);
    if (lastSeenAt >= unseenSince || underWay.has(id)) return;
    underWay.add(id);
    try {
      await sessions.touch(id, { unseenSince, idleEndsAt: idleEnd(options, now) });
    } catch (error) {
      log.warn({ err: error }, 'it could not be noted that a session is in use');
    } finally {
      underWay.delete(id);
    }
  };
}
