import { type Column, type SQL, sql } from 'drizzle-orm';

/** The `set` of an upsert: these columns get the values of the row that was not inserted, which are sent once that way. */
export function excluded<Name extends string>(columns: Readonly<Record<Name, Column>>): Record<Name, SQL> {
  const values = Object.entries<Column>(columns).map(([name, { name: stored }]) => [
    name,
    sql`excluded.${sql.identifier(stored)}`,
  ]);
  return Object.fromEntries(values);
}
