/** The present, passed in wherever it matters so that tests can hold it still. */
export interface Clock {
  now(): Date;
}

/** Source of new identifiers (UUIDv7). */
export interface Ids {
  next(): string;
}
