import type { StoredVector } from '@sluice/core/code-search';

/** The operations of the thread of the vectors. Every message is bounded by the limits below. */
export type VectorOperations = {
  upsert: {
    readonly in: { readonly collection: string; readonly vectors: readonly StoredVector[] };
    readonly out: null;
  };
  existing: {
    readonly in: { readonly collection: string; readonly ids: readonly string[] };
    readonly out: readonly string[];
  };
  nearest: {
    readonly in: { readonly collection: string; readonly vector: Float32Array; readonly limit: number };
    readonly out: readonly { readonly id: string; readonly similarity: number }[];
  };
  /** A page of the ids after the one that is given, in order. */
  ids: { readonly in: { readonly collection: string; readonly after: string }; readonly out: readonly string[] };
  remove: { readonly in: { readonly collection: string; readonly ids: readonly string[] }; readonly out: null };
  collections: { readonly in: { readonly prefix: string }; readonly out: readonly string[] };
  drop: { readonly in: { readonly collection: string }; readonly out: null };
  /** Reads something, so that a file that cannot be opened is found out. */
  check: { readonly in: Record<never, never>; readonly out: null };
  close: { readonly in: Record<never, never>; readonly out: null };
};

/** Vectors in one message: 3 MiB of the longest that are common. */
export const VECTORS_PER_MESSAGE = 256;
/** Ids in one message. */
export const IDS_PER_MESSAGE = 2_000;
/** Neighbours in one answer at most. */
export const MAX_NEIGHBOURS = 1_000;
