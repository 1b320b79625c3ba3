import { AppError, type Session } from '@sluice/core';
import type { ChannelMember } from './channels.ts';
import type { SessionMonitor } from './session-monitor.ts';
import { createStreamQueue, type StreamWork } from './stream-queue.ts';

const STALLED_BEATS = 3; // a reader that takes nothing for 30 s or more is gone, or holds the stream open on purpose
const GRACE_MS = 500; // for an orderly end before the connection is dropped

/** The client at the other end of a stream. */
export interface Reader {
  readonly session: Session;
  /** Fires when the connection is closed. */
  readonly gone: AbortSignal;
  /** Drops the connection: the last resort against a reader that does not read. */
  hangUp(): void;
}

/** One stream from its beginning to its end. */
interface Stream extends ChannelMember {
  /**
   * To be called once the stream has joined its channel: rows written between that and the first read are found twice,
   * and never missed.
   *
   * @returns false when the reader has gone already
   * @throws AppError `session_missing`, `shutting_down`
   */
  begin(): Promise<boolean>;
  /** The next work, or null when the reader has gone. @throws AppError with the reason of the end */
  next(): Promise<StreamWork | null>;
  isEnded(): boolean;
  /** @throws AppError `session_missing` when the session was ended by a process whose signals do not arrive */
  checkSession(): Promise<void>;
  /** Around each `yield`: the time between the two is the reader's. */
  handedOut(): void;
  taken(): void;
  close(): void;
}

export interface OpenStreams {
  open(reader: Reader): Stream;
  /** Ends every stream with `shutting_down`, and refuses new ones. */
  close(): void;
}

/** Ends streams in time: with `session_missing`, `shutting_down`, `not_ready` for a slow reader, or quietly for one that left. */
export function createOpenStreams(sessions: SessionMonitor): OpenStreams {
  const ends = new Set<(reason: AppError) => void>();
  let isClosed = false;
  return {
    open: (reader) => {
      let isHandedOut = false;
      let beatsHeld = 0;
      const end = (reason: AppError) => {
        if (queue.isClosed()) return;
        queue.close(reason);
        // Not cancelled when the stream closes: its end may wait behind bytes that the reader does not take.
        setTimeout(() => reader.hangUp(), GRACE_MS).unref();
      };
      // Not a quiet end: over tRPC that would mean that there is nothing more to come.
      const endSlow = () =>
        end(new AppError('not_ready', { detail: 'You read too slowly. Resume after your last event.' }));
      const queue = createStreamQueue(endSlow);
      const session = sessions.watch(reader.session, () => end(new AppError('session_missing')));
      const onGone = () => queue.close();
      reader.gone.addEventListener('abort', onGone, { once: true });
      ends.add(end);
      return {
        onRows: queue.rows,
        onLive: queue.live,
        onHeartbeat: () => {
          if (isHandedOut) beatsHeld += 1;
          if (beatsHeld >= STALLED_BEATS) endSlow();
          else queue.rows(Number.POSITIVE_INFINITY);
        },
        begin: async () => {
          if (reader.gone.aborted) return false;
          if (isClosed) throw new AppError('shutting_down');
          await session.check();
          queue.rows(Number.POSITIVE_INFINITY);
          return true;
        },
        next: queue.next,
        isEnded: queue.isClosed,
        checkSession: session.checkTogether,
        handedOut: () => {
          isHandedOut = true;
        },
        taken: () => {
          isHandedOut = false;
          beatsHeld = 0;
        },
        close: () => {
          queue.close();
          session.stop();
          reader.gone.removeEventListener('abort', onGone);
          ends.delete(end);
        },
      };
    },
    close: () => {
      isClosed = true;
      for (const end of ends) end(new AppError('shutting_down'));
    },
  };
}
