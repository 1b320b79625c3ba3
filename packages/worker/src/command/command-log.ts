import type { LeftOut, LogChunk } from '@sluice/core/agent';
import type { Timers } from '@sluice/core/async';

/** Sizes in characters, times in milliseconds. */
export interface CommandLogLimits {
  /** Kept from the start of the output. */
  readonly head: number;
  /** Kept from its end, where a failure is usually explained. */
  readonly tail: number;
  readonly batch: number;
  /** Pieces of the head. A command that alternates between its streams makes a piece, and a row, of each letter. */
  readonly headPieces: number;
  /** Pieces written at once, and pieces of the tail. */
  readonly pieces: number;
  readonly flushMs: number;
}

const DEFAULT_LIMITS: CommandLogLimits = {
  head: 512 * 1024,
  tail: 128 * 1024,
  batch: 64 * 1024,
  headPieces: 20_000,
  pieces: 500, // rows that take a few milliseconds to write
  flushMs: 250,
};

const PIECE = 4 * 1024;

export interface CommandLog {
  add(stream: LogChunk['stream'], text: string): void;
  /** Writes the rest. @throws the error of the first write that failed */
  close(): Promise<void>;
}

/** The run whose output is logged. */
interface LoggedRun {
  readonly command: string;
  /** The number of its `command.started`. */
  readonly seq: number;
}

/**
 * Collects the output of one command and writes it in batches. A command may write without end, so only its head and its
 * tail are kept: neither memory nor the database grows with it.
 */
export function openCommandLog(
  { command, seq: runSeq }: LoggedRun,
  { timers, write }: { timers: Timers; write: (chunks: readonly LogChunk[]) => Promise<unknown> },
  limits: CommandLogLimits = DEFAULT_LIMITS,
): CommandLog {
  let pending: LogChunk[] = [];
  let pendingSize = 0;
  let headLeft = limits.head;
  let headPieces = 0;
  let tail: LogChunk[] = [];
  let tailSize = 0;
  let leftOut: LeftOut = { characters: 0, lines: 0 };
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | null = null;

  function add(stream: LogChunk['stream'], text: string): void {
    const head = text.slice(0, headLeft);
    headLeft -= head.length;
    if (head !== '') addToHead(stream, head);
    if (head.length < text.length) addToTail(stream, text.slice(head.length));
  }

  function addToHead(stream: LogChunk['stream'], text: string): void {
    const last = pending.at(-1);
    if (last?.stream === stream) pending[pending.length - 1] = { ...last, text: last.text + text };
    else {
      pending.push({ command, runSeq, stream, text });
      headPieces += 1;
      if (headPieces >= limits.headPieces) headLeft = 0;
    }
    pendingSize += text.length;
    if (pendingSize >= limits.batch || pending.length >= limits.pieces) flush();
    else cancel ??= timers.after(limits.flushMs, flush);
  }

  function addToTail(stream: LogChunk['stream'], text: string): void {
    const kept = text.slice(-limits.tail);
    leaveOut(text.slice(0, text.length - kept.length));
    const last = tail.at(-1);
    // Output may arrive letter by letter, and many short pieces are expensive to drop from the front.
    if (last?.stream === stream && last.text.length < PIECE)
      tail[tail.length - 1] = { ...last, text: last.text + kept };
    else tail.push({ command, runSeq, stream, text: kept });
    tailSize += kept.length;
    while (tailSize > limits.tail || tail.length > limits.pieces) {
      const isTooMany = tail.length > limits.pieces;
      const first = tail.shift();
      if (first === undefined) break;
      const over = isTooMany ? first.text.length : Math.min(tailSize - limits.tail, first.text.length);
      if (over < first.text.length) tail.unshift({ ...first, text: first.text.slice(over) });
      tailSize -= over;
      leaveOut(first.text.slice(0, over));
    }
  }

  function leaveOut(text: string): void {
    leftOut = { characters: leftOut.characters + text.length, lines: leftOut.lines + lineEnds(text) };
  }

  function flush(): void {
    cancel?.();
    cancel = null;
    const chunks = pending.map((chunk) => ({ ...chunk, text: chunk.text.toWellFormed() }));
    pending = [];
    pendingSize = 0;
    if (chunks.length === 0) return;
    writing = writing.then(async () => {
      if (failure !== null) return;
      await write(chunks).catch((error: unknown) => {
        failure = { error };
      });
    });
  }

  return {
    add,
    async close() {
      if (leftOut.characters > 0)
        pending.push({ command, runSeq, stream: 'stdout', text: `\n[${inWords(leftOut)} left out]\n`, leftOut });
      pending.push(...tail);
      tail = [];
      tailSize = 0;
      flush();
      await writing;
      if (failure !== null) throw failure.error;
    },
  };
}

function lineEnds(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count += 1;
  return count;
}

function inWords({ characters, lines }: LeftOut): string {
  return lines === 0
    ? `${characters} characters`
    : `${characters} characters in ${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
