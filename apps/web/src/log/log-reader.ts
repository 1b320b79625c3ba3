import type { LogPiece } from './log-book.ts';

/** Reads the log of an issue: all that is there, and then what a hint says is new. */
export interface LogReader {
  /** There may be more. */
  hint(): void;
  stop(): void;
}

interface LogReaderDeps {
  /** A page after a piece; `isLast` when there is nothing more yet. */
  readonly readPage: (after: number, signal: AbortSignal) => Promise<{ pieces: readonly LogPiece[]; isLast: boolean }>;
  readonly onPieces: (pieces: readonly LogPiece[]) => void;
  /** Everything was read that was there. */
  readonly onCurrent: () => void;
  /** @returns how long to wait before the next try; null: it makes no sense */
  readonly onError: (error: unknown) => number | null;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const PAUSE_MS = 300; // between two reads while a command writes: what is shown then is hardly older

export function createLogReader({ readPage, onPieces, onCurrent, onError, wait }: LogReaderDeps): LogReader {
  const end = new AbortController();
  const { signal } = end;
  let after = 0;
  let isWanted = false;
  let isReading = false;

  async function readAll(): Promise<void> {
    for (let isLast = false; !isLast; ) {
      const page = await readPage(after, signal);
      if (signal.aborted) return;
      after = page.pieces.at(-1)?.seq ?? after;
      if (page.pieces.length > 0) onPieces(page.pieces);
      isLast = page.isLast;
    }
    onCurrent();
  }

  async function readWhileWanted(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        await readAll();
        await wait(PAUSE_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        const pause = onError(error);
        if (pause === null) return;
        isWanted = true;
        await wait(pause, signal);
      }
    }
  }

  return {
    hint() {
      isWanted = true;
      if (isReading) return;
      isReading = true;
      void readWhileWanted().finally(() => {
        isReading = false;
      });
    },
    stop: () => end.abort(),
  };
}
