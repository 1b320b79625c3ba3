import { AppError, type Session } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';

const LONGEST_TIMER_MS = 2_147_483_647; // a longer one fires at once

/**
 * Watches the session that a stream was opened with: its end is signalled, its expiry is known. A stream alone does not
 * keep it in use, and other requests do: so where it would end by being left alone, the store is asked. `check` asks the
 * store too, for what was missed before the watch began or was revoked where no signal comes from.
 */
export function watchSession(
  ctx: Pick<RequestContext, 'sessions' | 'signals' | 'clock'>,
  watch: { session: Session; onEnd: () => void },
): { check(): Promise<void>; stop(): void } {
  const { session, onEnd } = watch;
  const stopListening = ctx.signals.subscribe(null, {
    onSessionEnded: (ended) => {
      if (ended === session.id) onEnd();
    },
  });
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
    stop: () => {
      isStopped = true;
      stopListening();
      clearTimeout(timer);
    },
  };
}
