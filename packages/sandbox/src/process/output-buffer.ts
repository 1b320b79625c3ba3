/** A command whose output exceeds its limit by this factor is stopped. */
const floodFactor = 64;

export interface OutputBuffer {
  /** Adds a chunk of a stream. @returns the text for the live output, empty once its limit is reached */
  take(stream: 'stdout' | 'stderr', chunk: Uint8Array): string;
  /** Adds a line of Sluice between those of the command. */
  note(text: string): void;
  /** True when the command has written so much that it must be stopped. */
  flooded(): boolean;
  /** Head and tail, with a line between them that counts the dropped bytes. */
  finish(): { output: string; truncated: boolean };
}

/**
 * Keeps the first and the last half of `limit` bytes of both streams, in order of arrival. Each stream has its own decoder,
 * because a character split by a pipe continues in the next chunk of the same stream. Invalid UTF-8 becomes U+FFFD, as does
 * NUL, which a text column of the database refuses.
 */
export function createOutputBuffer(limit: number): OutputBuffer {
  const decoders = {
    stdout: new TextDecoder('utf-8', { ignoreBOM: true }),
    stderr: new TextDecoder('utf-8', { ignoreBOM: true }),
  };
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let dropped = 0;
  let received = 0;
  let shown = 0;

  const keep = (text: string) => {
    let bytes = Buffer.from(text, 'utf8');
    if (headBytes < headLimit && tailBytes === 0) {
      const cut = characterStart(bytes, Math.min(bytes.length, headLimit - headBytes));
      head.push(bytes.subarray(0, cut));
      headBytes += cut;
      bytes = bytes.subarray(cut);
    }
    if (bytes.length === 0) return;
    tail.push(bytes);
    tailBytes += bytes.length;
    // Not trimmed at every chunk, so that a flood copies the tail only once per length of the tail.
    if (tailBytes > tailLimit * 2 + 65_536 || tail.length > 1_024) trimTail();
  };

  const trimTail = () => {
    const all = Buffer.concat(tail);
    let from = Math.max(0, all.length - tailLimit);
    while (from < all.length && isContinuation(all[from])) from += 1;
    dropped += from;
    const kept = Buffer.from(all.subarray(from));
    tail = kept.length > 0 ? [kept] : [];
    tailBytes = kept.length;
  };

  return {
    take(stream, chunk) {
      received += chunk.length;
      const text = decoders[stream].decode(chunk, { stream: true }).replaceAll('\0', '\uFFFD');
      keep(text);
      if (shown >= limit) return '';
      shown += chunk.length;
      return shown >= limit ? `${text}\n[output continues; only its end is kept]\n` : text;
    },
    note: (text) => keep(text),
    flooded: () => received > limit * floodFactor,
    finish() {
      for (const decoder of [decoders.stdout, decoders.stderr]) keep(decoder.decode());
      trimTail();
      const gap = dropped > 0 ? `\n[${dropped} bytes omitted]\n` : '';
      return {
        output: Buffer.concat(head).toString('utf8') + gap + Buffer.concat(tail).toString('utf8'),
        truncated: dropped > 0,
      };
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The last position at or before `at` where a character starts (or the end). */
function characterStart(bytes: Buffer, at: number): number {
  let cut = at;
  while (cut > 0 && cut < bytes.length && isContinuation(bytes[cut])) cut -= 1;
  return cut;
}
