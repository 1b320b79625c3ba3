import type { Tables } from '../../src/schema/schema.ts';

/** A table, as the schema calls it. */
export type TableName = keyof Tables;

/** How many rows there are, and when they were written. */
export interface Size {
  /** Ended issues, and the drafts. */
  readonly issues: number;
  readonly users: number;
  readonly repos: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}
