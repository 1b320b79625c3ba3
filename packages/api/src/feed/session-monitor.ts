import {
  AppError,
  type Clock,
  createSingleFlight,
  LONGEST_TIMER_MS,
  type Session,
  type SessionStore,
  type Signals,
} from '@sluice/core';

interface WatchedSession {
  /** Reads the session. @throws AppError `session_missing` */
  check(): Promise<void>;
  /** As `check`, but joins a check of another stream that is under way. */
  checkTogether(): Promise<void>;
  stop(): void;
}

/**
 * Watches the sessions of open streams. A signal reports a logout, and a timer the expiry. Other requests keep a session in
 * use, a stream does not, so the timer reads the session again. `check` finds a session that ended before the watch began,
 * or that was ended by a process whose signals do not arrive here.
 */
export interface SessionMonitor {
  /** @param onEnd called at most once for an end; a store that fails counts as one, and the client reconnects */
  watch(session: Session, onEnd: () => void): WatchedSession;
}

type Found = ReturnType<SessionStore['find']>;

interface Watched {
  readonly onEnds: Set<() => void>;
  timer?: NodeJS.Timeout;
}

interface Deps {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly signals: Signals;
  readonly clock: Clock;
}

export function createSessionMonitor({ sessions, signals, clock }: Deps): SessionMonitor {
  const watched = new Map<string, Watched>();
  const checks = createSingleFlight<string, Awaited<Found>>();
  let stopListening = () => {};

  const end = (one: Watched | undefined) => {
    for (const onEnd of one?.onEnds ?? []) onEnd();
  };
  const arm = (one: Watched, { id, expiresAt, idleEndsAt }: Session) => {
    const endsAt = Math.min(expiresAt.getTime(), idleEndsAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const left = endsAt - clock.now().getTime();
    const checkExpiry = async () => {
      const found = await sessions.find(id).catch(() => null);
      if (watched.get(id) !== one) return;
      if (found === null) end(one);
      else arm(one, found.session);
    };
    one.timer = setTimeout(checkExpiry, Math.min(Math.max(left, 1), LONGEST_TIMER_MS));
  };
  const open = (session: Session): Watched => {
    if (watched.size === 0) stopListening = signals.subscribe(null, { onSessionEnded: (id) => end(watched.get(id)) });
    const one: Watched = { onEnds: new Set() };
    watched.set(session.id, one);
    arm(one, session);
    return one;
  };

  return {
    watch: (session, onEnd) => {
      const { id } = session;
      const one = watched.get(id) ?? open(session);
      const own = () => onEnd();
      one.onEnds.add(own);
      const requireFound = async (finding: Found) => {
        if ((await finding) === null) throw new AppError('session_missing');
      };
      return {
        check: () => requireFound(sessions.find(id)),
        checkTogether: () => requireFound(checks.run(id, () => sessions.find(id))),
        stop: () => {
          if (!one.onEnds.delete(own) || one.onEnds.size > 0) return;
          clearTimeout(one.timer);
          watched.delete(id);
          if (watched.size === 0) stopListening();
        },
      };
    },
  };
}
