/** How far over its limit a command's output may go before the command is ended. */
const floodFactor = 64;

export interface OutputBuffer {
  /** Takes what came from a stream. Returns the text that a live listener may still see, perhaps empty. */
  take(stream: 'stdout' | 'stderr', chunk: Uint8Array): string;
  /** A line of ours, between the command's own. */
  note(text: string): void;
  /** True when the command has written so much that it must be ended. */
  flooded(): boolean;
  /** Head and tail, with a line that tells how many bytes between them went. */
  finish(): { output: string; truncated: boolean };
}

/**
 * Keeps the first and the last half of `limit` bytes of both streams, in the order they came. Each stream has a decoder of
 * its own, because a character cut in two by a pipe is whole again only with its own stream's next chunk; what is no UTF-8
 * becomes U+FFFD, and so does NUL, which a database's text column refuses.
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
    // Trimmed now and then, not at every chunk, so that a flood costs a copy of the tail once per tail's length.
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
      return shown >= limit ? `${text}\n[output goes on; only its end is kept]\n` : text;
    },
    note: (text) => keep(text),
    flooded: () => received > limit * floodFactor,
    finish() {
      for (const decoder of [decoders.stdout, decoders.stderr]) keep(decoder.decode());
      trimTail();
      const gap = dropped > 0 ? `\n[${dropped} bytes left out]\n` : '';
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
