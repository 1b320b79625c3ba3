/** A request for a keyset page, newest first. Only the store interprets `cursor`. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}
