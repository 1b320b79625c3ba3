import { LRUCache } from 'lru-cache';

/** A response that the host can revalidate by its ETag, which costs no quota. */
interface StoredResponse {
  readonly etag: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

export type ResponseCache = LRUCache<string, StoredResponse>;

const ENTRIES = 1_000; // about ten lists, with the permissions of their authors, for each of a hundred users
const BYTES = 32 * 1024 * 1024; // memory that the process can spare
const ENTRY_BYTES = 1024 * 1024; // a page of very long issues must not evict everything else
const HEADER_BYTES = 2_048; // about the size of a response's headers

export function createResponseCache(): ResponseCache {
  return new LRUCache({
    max: ENTRIES,
    maxSize: BYTES,
    maxEntrySize: ENTRY_BYTES,
    sizeCalculation: (response, key) => response.body.byteLength + key.length + HEADER_BYTES,
  });
}
