import { AppError, type SessionId } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';

const LONGEST_TIMER_MS = 2_147_483_647; // a longer one fires at once

/**
 * Watches the session that a stream was opened with: its end is signalled, its expiry is known. `check` asks the
 * store, for what was missed before the watch began or was revoked where no signal comes from.
 */
export function watchSession(
  ctx: Pick<RequestContext, 'sessions' | 'signals' | 'clock'>,
  session: { sessionId: string; expiresAt: Date; onEnd: () => void },
): { check(): Promise<void>; stop(): void } {
  const { sessionId, expiresAt, onEnd } = session;
  const stopListening = ctx.signals.subscribe(null, {
    onSessionEnded: (ended) => {
      if (ended === sessionId) onEnd();
    },
  });
  let timer: NodeJS.Timeout;
  const arm = () => {
    const left = expiresAt.getTime() - ctx.clock.now().getTime();
    timer = setTimeout(left > LONGEST_TIMER_MS ? arm : onEnd, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
  };
  arm();
  return {
    check: async () => {
      if ((await ctx.sessions.find(sessionId as SessionId)) === null) throw new AppError('session_missing');
    },
    stop: () => {
      stopListening();
      clearTimeout(timer);
    },
  };
}
