import { AppError } from '@sluice/core';

const LARGEST = 16 * 1024 * 1024; // a hundred texts of the longest that the host takes (65 536 signs), and as much again

/** Reads an answer to its end, within bounds. Null where an answer of that status has no body. */
export async function boundedBody(answer: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (answer.body === null || answer.status === 204 || answer.status === 205 || answer.status === 304) {
    await answer.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > LARGEST) {
      throw new AppError('codehost_unavailable', { detail: "The code host's answer was larger than Sluice reads." });
    }
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts, bytes));
}
