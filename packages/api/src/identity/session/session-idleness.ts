import type { Session, SessionStore } from '@sluice/core/account';
import type { ApiDeps, ApiOptions } from '../../service/api-deps.ts';

/** Minimum interval between last-seen updates, so that reads do not become writes. */
const SEEN_EVERY_MS = 60_000;
/** Minimum number of updates within the idle lifetime, so that a session in use does not expire. */
const TIMES_IN_A_LIFE = 10;

type IdleOptions = Pick<ApiOptions, 'sessionIdleTtlMs'>;

/** When a session that is used now expires by idleness; null where sessions do not. */
export function idleEnd({ sessionIdleTtlMs = 0 }: IdleOptions, now: Date): Date | null {
  return sessionIdleTtlMs === 0 ? null : new Date(now.getTime() + sessionIdleTtlMs);
}

interface SeenDeps extends Pick<ApiDeps, 'clock' | 'log'> {
  readonly sessions: Pick<SessionStore, 'touch'>;
  readonly options: IdleOptions;
}

/**
 * Records that a session is in use, unless that was done a moment ago. One of several concurrent requests waits for the
 * write. A failed write does not fail the request.
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
      log.warn({ err: error }, 'the use of a session could not be recorded');
    } finally {
      underWay.delete(id);
    }
  };
}
