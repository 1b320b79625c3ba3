import { type Column, type SQL, sql } from 'drizzle-orm';
import type { Given } from './prepared.ts';

/** Places in a statement: with one statement for each number of values there would be too many. */
const PLACES = 50;

/** The values of a list as a prepared statement is given them; a place without one is null, which equals nothing. */
export type GivenList<Value> = Record<`at${number}`, Value | null>;

const places = Array.from({ length: PLACES }, (_, index) => `at${index}` as const);

/** Selects the rows whose column has one of the values that the statement is given. */
export function isAmong<Value>(column: Column, given: Given<GivenList<Value>>): SQL {
  const values = places.map((place) => given(place, column));
  return sql`${column} in (${sql.join(values, sql`, `)})`;
}

/** The values of as many executions as they need, in their order. */
export function* listsOf<Value>(values: readonly Value[]): Generator<GivenList<Value>> {
  for (let from = 0; from < values.length; from += PLACES) {
    yield Object.fromEntries(places.map((place, at) => [place, values[from + at] ?? null]));
  }
}
