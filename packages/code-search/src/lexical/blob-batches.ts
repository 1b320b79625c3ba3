import { type ChunkedBlob, type ListedFile, PUT_BLOBS, PUT_BYTES } from './index-protocol.ts';
import type { BlobFile } from './parse-protocol.ts';
import { languageOf, MAX_FILE_BYTES } from './syntax/language.ts';

/** The path that tells a blob's language: of several, one with a grammar. */
export function pathsToParse(files: readonly ListedFile[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const { path, blob } of files) {
    if (!paths.has(blob) || (languageOf(path) !== null && languageOf(paths.get(blob) ?? '') === null)) {
      paths.set(blob, path);
    }
  }
  return paths;
}

/** Gathers blobs into messages that stay within the limits. */
export async function* blobBatches(
  blobs: AsyncIterable<{ readonly blob: string; readonly content: Uint8Array }>,
  pathOf: ReadonlyMap<string, string>,
): AsyncGenerator<BlobFile[]> {
  let batch: BlobFile[] = [];
  let bytes = 0;
  for await (const { blob, content } of blobs) {
    // Larger than was said: known by an empty content, so that it is not read again.
    const kept = content.length > MAX_FILE_BYTES ? new Uint8Array() : content;
    if (batch.length === PUT_BLOBS || (batch.length > 0 && bytes + kept.length > PUT_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ blob, path: pathOf.get(blob) ?? '', content: kept });
    bytes += kept.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * The chunks of batches, one batch ahead of the consumer: one thread parses while the other writes. Git waits
 * with the next blob until then.
 */
export async function* chunkedAhead(
  batches: AsyncIterable<readonly BlobFile[]>,
  chunk: (files: readonly BlobFile[]) => Promise<readonly ChunkedBlob[]>,
): AsyncGenerator<readonly ChunkedBlob[]> {
  let ahead: Promise<readonly ChunkedBlob[]> | null = null;
  for await (const batch of batches) {
    const ready = ahead;
    ahead = chunk(batch);
    ahead.catch(() => {}); // the consumer throws it, unless writing fails first
    if (ready !== null) yield await ready;
  }
  if (ahead !== null) yield await ahead;
}
