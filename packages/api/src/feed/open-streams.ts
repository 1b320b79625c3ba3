import type { Caller } from '@sluice/core/access';
import { createSingleFlight } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { type Credential, endedCredential } from '../identity/session/credential.ts';
import type { AccessMonitor } from './access-monitor.ts';
import type { ChannelMember } from './channels.ts';
import type { SessionMonitor } from './session-monitor.ts';
import { createStreamQueue, type StreamWork } from './stream-queue.ts';

const STALLED_BEATS = 3; // a reader that takes nothing for 30 s or more is gone, or holds the stream open on purpose
const GRACE_MS = 500; // for an orderly end before the connection is dropped

/** The client at the other end of a stream. */
export type Reader = Credential & {
  readonly caller: Caller;
  /** Fires when the connection is closed. */
  readonly gone: AbortSignal;
  /** Drops the connection: the last resort against a reader that does not read. */
  hangUp(): void;
};

/** What the reader of a stream may see. */
interface Access<Roles = unknown> {
  readonly userId: UserId;
  /** The name of what is read: streams with the same key may share a read. */
  readonly key: string;
  read(): Promise<Roles>;
  /** @throws AppError that ends the stream, when they may no longer see what it shows */
  take(roles: Roles): void;
}

/** One stream from its beginning to its end. */
interface Stream extends ChannelMember {
  /**
   * To be called once the stream has joined its channel: rows written between that and the first read are found twice,
   * and never missed.
   *
   * @returns false when the reader has gone already
   * @throws AppError `session_missing`, `token_invalid`, `shutting_down`, and the reason of a reader who may not see it any more
   */
  begin(): Promise<boolean>;
  /** The next work, or null when the reader has gone. @throws AppError with the reason of the end */
  next(): Promise<StreamWork | null>;
  isEnded(): boolean;
  /** @throws AppError when the session was ended, or the access was lost, at a process whose signals do not arrive */
  checkAccess(): Promise<void>;
  /** Around each `yield`: the time between the two is the reader's. */
  handedOut(): void;
  taken(): void;
  close(): void;
}

export interface OpenStreams {
  open<Roles>(reader: Reader, access: Access<Roles>): Stream;
  /** Ends every stream with `shutting_down`, and refuses new ones. */
  close(): void;
}

/** Ends streams in time: with `session_missing`, the reason of a lost access, `shutting_down`, `not_ready` for a slow reader, or quietly for one that left. */
export function createOpenStreams(sessions: SessionMonitor, accesses: AccessMonitor): OpenStreams {
  const ends = new Set<(reason: AppError) => void>();
  const reads = createSingleFlight<string, unknown>();
  let signals = 0;
  let isClosed = false;
  return {
    open: <Roles>(reader: Reader, access: Access<Roles>) => {
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
      const session = sessions.watch(reader, () => end(endedCredential(reader)));
      let changes = 0;
      /** Reads again what may have been read before the last change: of two reads the earlier one can end last. */
      const refresh = async (read: () => Promise<Roles>) => {
        for (;;) {
          const seen = changes;
          const roles = await read();
          if (seen === changes) return access.take(roles);
        }
      };
      const stopWatching = accesses.watch(access.userId, () => {
        changes += 1;
        signals += 1;
        refresh(access.read)
          .then(() => queue.rows(0)) // they may see more than before
          .catch((error: unknown) => end(error instanceof AppError ? error : new AppError('not_ready')));
      });
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
          await refresh(access.read);
          queue.rows(Number.POSITIVE_INFINITY);
          return true;
        },
        next: queue.next,
        isEnded: queue.isClosed,
        checkAccess: async () => {
          await session.checkTogether();
          // No read is joined that began before a change.
          await refresh(async () => (await reads.run(`${access.key} ${signals}`, access.read)) as Roles);
        },
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
          stopWatching();
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
