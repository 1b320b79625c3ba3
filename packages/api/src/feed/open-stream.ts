import { AppError, type Session } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { onSharedBeat } from './heartbeat.ts';
import { watchSession } from './session-watch.ts';
import { createStreamInbox, type StreamInbox } from './stream-queue.ts';

const STALLED_MS = 30_000; // a reader who takes nothing for so long is gone, or holds us on purpose
const GRACE_MS = 500; // to end in an orderly way before the connection is dropped

export type StreamContext = Pick<RequestContext, 'signals' | 'sessions' | 'clock' | 'closing' | 'hangUp'>;

/** A stream from its beginning to its end: why it ends, and what it leaves behind (nothing). */
export interface StreamLife {
  readonly inbox: StreamInbox;
  /**
   * To be called when the stream listens: what is written between that and its first look is seen twice, never missed.
   *
   * @returns false when the reader has gone already
   * @throws AppError `session_missing`, `shutting_down` */
  begin(): Promise<boolean>;
  /** @throws AppError `session_missing` when the session was ended where no signal comes from */
  checkSession(): Promise<void>;
  /** What is between these two is the reader's time. */
  handedOut(): void;
  taken(): void;
  close(): void;
}

/**
 * Watches over the session, the reader and the server, and puts an end to the stream's inbox in time: with
 * `session_missing`, `shutting_down`, `not_ready` for a reader who is too slow, or quietly when he has gone. A look at
 * every heartbeat finds what a lost signal left out.
 */
export function openStreamLife(
  ctx: StreamContext,
  stream: { subject: string; session: Session; signal: AbortSignal },
): StreamLife {
  const { signal } = stream;
  let handedOutAt: number | null = null;
  const end = (reason: AppError) => {
    if (inbox.isClosed()) return;
    inbox.close(reason);
    // Not given up when the stream closes: its end may wait behind what the reader does not take.
    setTimeout(() => ctx.hangUp(), GRACE_MS).unref();
  };
  // Not a quiet end: over tRPC that would tell the reader that there is nothing more to come.
  const endSlow = () => end(new AppError('not_ready', { detail: 'You read too slowly: go on after your last event.' }));
  const inbox = createStreamInbox(endSlow);

  const session = watchSession(ctx, { session: stream.session, onEnd: () => end(new AppError('session_missing')) });
  const onGone = () => inbox.close();
  const onClosing = () => end(new AppError('shutting_down'));
  signal.addEventListener('abort', onGone, { once: true });
  ctx.closing.addEventListener('abort', onClosing, { once: true });
  const stopBeat = onSharedBeat(ctx.signals, stream.subject, () => {
    if (handedOutAt !== null && performance.now() - handedOutAt > STALLED_MS) endSlow();
    else inbox.written(Number.POSITIVE_INFINITY);
  });

  return {
    inbox,
    begin: async () => {
      if (signal.aborted) return false;
      if (ctx.closing.aborted) throw new AppError('shutting_down');
      await session.check();
      inbox.written(Number.POSITIVE_INFINITY);
      return true;
    },
    checkSession: session.checkWithOthers,
    handedOut: () => {
      handedOutAt = performance.now();
    },
    taken: () => {
      handedOutAt = null;
    },
    close: () => {
      session.stop();
      signal.removeEventListener('abort', onGone);
      ctx.closing.removeEventListener('abort', onClosing);
      stopBeat();
    },
  };
}
