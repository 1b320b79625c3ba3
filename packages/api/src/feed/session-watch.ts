import { AppError, type Session, type SessionStore, type Signals } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';

const LONGEST_TIMER_MS = 2_147_483_647; // a longer one fires at once

interface SessionWatch {
  /** @throws AppError `session_missing` */
  check(): Promise<void>;
  /** The same by a look that another stream may have begun: for who has listened since before it. */
  checkWithOthers(): Promise<void>;
  stop(): void;
}

type Found = ReturnType<SessionStore['find']>;

/** What all streams of one process have in common. */
interface Watches {
  readonly bySession: Map<string, Set<() => void>>;
  /** Streams look at the same moment, and the store is asked once for all of a session. */
  readonly looks: Map<string, Found>;
  readonly stopListening: () => void;
}

const open = new WeakMap<Signals, Watches>();

/**
 * Watches the session that a stream was opened with: its end is signalled, its expiry is known. A stream alone does not
 * keep it in use, and other requests do: so where it would end by being left alone, the store is asked. `check` asks the
 * store too, for what was missed before the watch began or was revoked where no signal comes from.
 */
export function watchSession(
  ctx: Pick<RequestContext, 'sessions' | 'signals' | 'clock'>,
  watch: { session: Session; onEnd: () => void },
): SessionWatch {
  const { session, onEnd } = watch;
  const stopListening = onSessionEnd(ctx.signals, session.id, onEnd);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const arm = ({ expiresAt, idleEndsAt }: Session) => {
    if (isStopped) return;
    const endsAt = Math.min(expiresAt.getTime(), idleEndsAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const left = endsAt - ctx.clock.now().getTime();
    timer = setTimeout(look, Math.min(Math.max(left, 1), LONGEST_TIMER_MS));
  };
  const end = () => {
    if (!isStopped) onEnd();
  };
  const look = () => {
    // A store that cannot be asked knows of no session; the stream's client comes back by itself.
    ctx.sessions.find(session.id).then((found) => (found === null ? end() : arm(found.session)), end);
  };
  arm(session);
  return {
    check: async () => {
      if ((await ctx.sessions.find(session.id)) === null) throw new AppError('session_missing');
    },
    checkWithOthers: async () => {
      if ((await findOnce(ctx, session)) === null) throw new AppError('session_missing');
    },
    stop: () => {
      isStopped = true;
      stopListening();
      clearTimeout(timer);
    },
  };
}

/** One listener for all streams: else every event would be brought to each of them to be passed over. */
function onSessionEnd(signals: Signals, sessionId: string, onEnd: () => void): () => void {
  const watches = open.get(signals) ?? listen(signals);
  const { bySession, stopListening } = watches;
  const own = () => onEnd();
  const ofSession = bySession.get(sessionId) ?? new Set();
  bySession.set(sessionId, ofSession.add(own));
  return () => {
    ofSession.delete(own);
    if (ofSession.size === 0 && bySession.get(sessionId) === ofSession) bySession.delete(sessionId);
    if (bySession.size > 0 || open.get(signals) !== watches) return;
    open.delete(signals);
    stopListening();
  };
}

function listen(signals: Signals): Watches {
  const bySession: Watches['bySession'] = new Map();
  const stopListening = signals.subscribe(null, {
    onSessionEnded: (ended) => {
      for (const onEnd of [...(bySession.get(ended) ?? [])]) onEnd();
    },
  });
  const watches = { bySession, looks: new Map(), stopListening };
  open.set(signals, watches);
  return watches;
}

function findOnce({ sessions, signals }: Pick<RequestContext, 'sessions' | 'signals'>, { id }: Session): Found {
  const looks = open.get(signals)?.looks;
  const found = looks?.get(id) ?? sessions.find(id).finally(() => looks?.delete(id));
  looks?.set(id, found);
  return found;
}
