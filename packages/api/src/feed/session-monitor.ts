import type { SessionStore } from '@sluice/core/account';
import { type ApiTokenStore, isTokenLive } from '@sluice/core/api-token';
import { type Clock, createSingleFlight, MAX_TIMER_MS } from '@sluice/core/async';
import type { Signals } from '@sluice/core/issue';
import { type Credential, credentialId, endedCredential } from '../identity/session/credential.ts';

interface WatchedSession {
  /** Reads the session or token. @throws AppError `session_missing`, `token_invalid` */
  check(): Promise<void>;
  /** Like `check`, but joins a check of another stream that is under way. */
  checkTogether(): Promise<void>;
  stop(): void;
}

/**
 * Watches the sessions and API tokens of open streams. A signal reports a logout, and a timer the expiry. Other requests keep a
 * session in use, a stream does not, so the timer reads the session again. `check` finds a session that ended before the watch
 * began, or that was ended by a process whose signals do not arrive here.
 */
export interface SessionMonitor {
  /** @param onEnd called at most once for an end; a store that fails counts as one, and the client reconnects */
  watch(credential: Credential, onEnd: () => void): WatchedSession;
}

interface Watched {
  readonly onEnds: Set<() => void>;
  timer?: NodeJS.Timeout;
}

interface Deps {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly apiTokens: Pick<ApiTokenStore, 'find'>;
  readonly signals: Signals;
  readonly clock: Clock;
}

export function createSessionMonitor({ sessions, apiTokens, signals, clock }: Deps): SessionMonitor {
  const watched = new Map<string, Watched>();
  const checks = createSingleFlight<string, Credential | null>();
  let stopListening = () => {};

  /** The credential in its current state; null when it has ended. */
  const find = async ({ session, token }: Credential): Promise<Credential | null> => {
    if (session !== null) return await sessions.find(session.id);
    const found = await apiTokens.find({ id: token.id });
    const isLive = found !== null && !found.isDisabled && isTokenLive(found.token, clock.now());
    return isLive ? { session: null, token: found.token } : null;
  };
  const end = (one: Watched | undefined) => {
    for (const onEnd of one?.onEnds ?? []) onEnd();
  };
  const arm = (one: Watched, credential: Credential) => {
    const left = endOf(credential) - clock.now().getTime();
    const checkExpiry = async () => {
      const found = await find(credential).catch(() => null);
      if (watched.get(credentialId(credential)) !== one) return;
      if (found === null) end(one);
      else arm(one, found);
    };
    one.timer = setTimeout(checkExpiry, Math.min(Math.max(left, 1), MAX_TIMER_MS));
  };
  const open = (credential: Credential): Watched => {
    if (watched.size === 0) stopListening = signals.subscribe(null, { onSessionEnded: (id) => end(watched.get(id)) });
    const one: Watched = { onEnds: new Set() };
    watched.set(credentialId(credential), one);
    arm(one, credential);
    return one;
  };

  return {
    watch: (credential, onEnd) => {
      const id = credentialId(credential);
      const one = watched.get(id) ?? open(credential);
      const own = () => onEnd();
      one.onEnds.add(own);
      const requireFound = async (finding: Promise<Credential | null>) => {
        if ((await finding) === null) throw endedCredential(credential);
      };
      return {
        check: () => requireFound(find(credential)),
        checkTogether: () => requireFound(checks.run(id, () => find(credential))),
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

/** The end of a session or token, in Unix milliseconds. */
function endOf({ session, token }: Credential): number {
  if (session === null) return token.expiresAt.getTime();
  return Math.min(session.expiresAt.getTime(), session.idleEndsAt?.getTime() ?? Number.POSITIVE_INFINITY);
}
