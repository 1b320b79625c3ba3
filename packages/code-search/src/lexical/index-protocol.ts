import type { RepoIndex } from '@sluice/core/repo';
import type { CodeChunk } from './code-chunk.ts';
import type { LexicalChunk, LexicalHit } from './lexical-index.ts';

/**
 * The operations of the index's thread. Every message is bounded by the limits below, whatever the repository's size.
 */
export type IndexOperations = {
  /** Reads the current index of a repository. */
  state: { readonly in: { readonly repo: string }; readonly out: RepoIndex | null };
  /** Adds files to the snapshot that an update is about to index. */
  list: {
    readonly in: { readonly update: UpdateKey; readonly files: readonly ListedFile[] };
    readonly out: null;
  };
  /** The next blobs of the snapshot that have to be read; empty when there are no more. */
  missing: { readonly in: { readonly update: UpdateKey }; readonly out: readonly string[] };
  /** Indexes the chunks of blobs; searches do not find them before `finish`. */
  put: {
    readonly in: { readonly update: UpdateKey; readonly blobs: readonly ChunkedBlob[] };
    readonly out: null;
  };
  /** Re-indexes some blobs whose paths have changed. @returns whether there are more */
  repath: { readonly in: { readonly update: UpdateKey }; readonly out: boolean };
  /** Makes the snapshot the one that is searched, in one write. */
  finish: {
    readonly in: { readonly update: UpdateKey; readonly commit: string; readonly at: string };
    readonly out: RepoIndex;
  };
  /** Removes some blobs that no path names any more. @returns whether there are more */
  sweep: { readonly in: { readonly repo: string }; readonly out: boolean };
  /** Forgets an update that will not be finished. What it has indexed stays and saves work next time. */
  abandon: { readonly in: { readonly update: UpdateKey }; readonly out: null };
  search: {
    readonly in: { readonly repo: string; readonly query: string; readonly limit: number };
    readonly out: readonly LexicalHit[];
  };
  /** A page of the chunks that are searched now. */
  chunks: {
    readonly in: { readonly repo: string; readonly after: string | null; readonly limit: number };
    readonly out: readonly LexicalChunk[];
  };
  /** At most `PAGE_CHUNKS` of them at once. */
  chunksById: {
    readonly in: { readonly repo: string; readonly ids: readonly string[] };
    readonly out: readonly LexicalChunk[];
  };
  drop: { readonly in: { readonly repo: string }; readonly out: null };
  close: { readonly in: Record<never, never>; readonly out: null };
};

export type IndexOperation = keyof IndexOperations;

/** Names one update of one repository. */
export interface UpdateKey {
  readonly repo: string;
  readonly number: number;
}

export interface ListedFile {
  readonly path: string;
  readonly blob: string;
}

export interface ChunkedBlob {
  readonly blob: string;
  readonly chunks: readonly CodeChunk[];
}

/** Files a `list` message may carry, blobs a `missing` answer may name: some 300 KiB of structured clone each. */
export const LIST_LIMIT = 2_000;
/** A message with files ends at either limit: a thread is busy with one for some 50 ms, and a search waits no longer. */
export const PUT_BLOBS = 64;
export const PUT_BYTES = 512 * 1_024;
/** Hits in one answer at most. */
export const MAX_HITS = 100;
/** Characters of a chunk's text in an answer. */
export const MAX_TEXT_LENGTH = 16_000;
/** Chunks in one page at most: rarely more than 1 MiB of text. */
export const PAGE_CHUNKS = 500;
