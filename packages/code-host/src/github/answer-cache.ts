import { LRUCache } from 'lru-cache';

/** An answer that the host may confirm by its ETag instead of giving it again, which costs no quota. */
interface StoredResponse {
  readonly etag: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

export type AnswerCache = LRUCache<string, StoredResponse>;

const ENTRIES = 1_000; // some ten lists and their authors' permissions for each of a hundred users
const BYTES = 32 * 1024 * 1024; // what the process can spare
const ENTRY_BYTES = 1024 * 1024; // a page of issues with very long texts must not push everything else out
const HEADER_BYTES = 2_048; // about what the headers of one answer take

export function createAnswerCache(): AnswerCache {
  return new LRUCache({
    max: ENTRIES,
    maxSize: BYTES,
    maxEntrySize: ENTRY_BYTES,
    sizeCalculation: (answer, key) => answer.body.byteLength + key.length + HEADER_BYTES,
  });
}
