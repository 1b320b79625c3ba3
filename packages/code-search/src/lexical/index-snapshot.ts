import { untilAborted } from '@sluice/core/async';
import type { RepoIndex } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import type { FileChunker } from './file-chunker.ts';
import { type ChunkedBlob, LIST_LIMIT, type ListedFile, PUT_BLOBS, PUT_BYTES } from './index-protocol.ts';
import type { BlobFile } from './parse-protocol.ts';
import { pathWeight } from './path-weight.ts';
import { languageOf, MAX_FILE_BYTES } from './syntax/language.ts';

/** The steps by which an index takes a snapshot. Interrupted between any two, it answers as before. */
export interface SnapshotSteps {
  /** Adds files to the snapshot. */
  list(files: readonly ListedFile[]): Promise<unknown>;
  /** The next blobs that have to be read; empty when there are no more. */
  missing(): Promise<readonly string[]>;
  put(blobs: readonly ChunkedBlob[]): Promise<unknown>;
  /** Makes the snapshot the one that is searched. */
  finish(): Promise<RepoIndex>;
  /** Removes some blobs that no path names any more. @returns whether there are more */
  sweep(): Promise<boolean>;
}

/** Indexes a workspace's base commit: reads what is not known, cuts it and makes it what is searched. */
export async function indexSnapshot(
  { steps, chunker }: { readonly steps: SnapshotSteps; readonly chunker: FileChunker },
  workspace: Workspace,
  signal: AbortSignal,
): Promise<RepoIndex> {
  const listed = await workspace.blobs(signal);
  const files = listed
    .filter(({ path, bytes }) => bytes <= MAX_FILE_BYTES && pathWeight(path) > 0)
    .map(({ path, blob }) => ({ path, blob }));
  const pathOf = pathsToParse(files);
  const cut = chunker.begin();
  const chunk = (some: readonly BlobFile[]) => untilAborted(cut(some), signal);
  // A repository without files still has to be begun, hence at least one message.
  for (let at = 0; at === 0 || at < files.length; at += LIST_LIMIT) {
    await steps.list(files.slice(at, at + LIST_LIMIT));
  }
  for (;;) {
    const missing = await steps.missing();
    if (missing.length === 0) break;
    const batches = blobBatches(workspace.readBlobs(missing, signal), pathOf);
    for await (const blobs of chunkedAhead(batches, chunk)) await steps.put(blobs);
  }
  const index = await steps.finish();
  while (await steps.sweep());
  return index;
}

/** The path that tells a blob's language: of several, one with a grammar. */
function pathsToParse(files: readonly ListedFile[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const { path, blob } of files) {
    if (!paths.has(blob) || (languageOf(path) !== null && languageOf(paths.get(blob) ?? '') === null)) {
      paths.set(blob, path);
    }
  }
  return paths;
}

/** Gathers blobs into messages that stay within the limits. */
async function* blobBatches(
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
async function* chunkedAhead(
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
