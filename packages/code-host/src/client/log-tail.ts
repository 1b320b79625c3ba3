import type { IncomingMessage } from 'node:http';
import { requestWithoutToken, type TokenlessRequest } from './request-without-token.ts';

/** The end of a log. */
export interface LogTail {
  readonly bytes: Uint8Array;
  /** Whether there was more before it. */
  readonly truncated: boolean;
}

const TAIL_BYTES = 200 * 1024; // more than a model reads; the failure stands at the end
const MAX_LOG_BYTES = 512 * 1024 * 1024; // the log of a job of many hours

/**
 * Reads the end of a log at the address that the host has redirected to (`requestWithoutToken`). Only the tail is held in
 * memory.
 *
 * @returns null when there is no log to be read there: refused, gone, too slow or too long
 */
export async function readLogTail(request: Omit<TokenlessRequest, 'accept'>): Promise<LogTail | null> {
  try {
    const response = await requestWithoutToken({ ...request, accept: 'text/plain, */*' });
    return response === null ? null : await tailOf(response);
  } catch {
    return null;
  }
}

async function tailOf(response: IncomingMessage): Promise<LogTail | null> {
  if (response.statusCode !== 200) {
    response.destroy();
    return null;
  }
  let kept: Buffer[] = [];
  let [keptBytes, allBytes] = [0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    allBytes += chunk.byteLength;
    // Leaving the loop destroys the stream.
    if (allBytes > MAX_LOG_BYTES) return null;
    kept.push(chunk);
    keptBytes += chunk.byteLength;
    if (keptBytes > 2 * TAIL_BYTES) {
      kept = [Buffer.concat(kept).subarray(-TAIL_BYTES)];
      keptBytes = TAIL_BYTES;
    }
  }
  // A copy, because a part would keep the whole buffer alive.
  const bytes = Uint8Array.from(Buffer.concat(kept).subarray(-TAIL_BYTES));
  return { bytes, truncated: allBytes > bytes.byteLength };
}
