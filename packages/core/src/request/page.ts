/** A keyset page, newest first. `cursor` is opaque to everybody but the store. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}
