import type { PoolClient, QueryConfig } from 'pg';

/**
 * Each stays prepared on every connection. There are some 150 write statements, and one more for each number of rows.
 */
const MAX_NAMED = 300;
const MAX_NAMED_LENGTH = 10_000; // the longest write of one row is a third of that

export interface NamedStatements {
  /** The client, its statements named. */
  on(client: Pick<PoolClient, 'query'>): PoolClient;
  /** The name under which this statement is prepared; undefined: it is too long, or there are too many. */
  nameOf(text: string): string | undefined;
  /** Gives all statements new names, so that every connection prepares them again. */
  renew(): void;
}

/**
 * Prepares statements under a name, so that Postgres parses each once per connection and stops planning it after some
 * runs. For writes, which find rows by key whatever the values, and for the reads that are built once; see `prepared.ts` for
 * those that are planned for their values.
 *
 * A new column does not break a prepared statement, because each names its columns. A changed type or `discard all`
 * does: then everything is prepared again. Poolers in transaction mode are not supported, see the README.
 *
 * @param prefix of the names; two of these over the same connections need two
 */
export function createNamedStatements(prefix = 'sluice'): NamedStatements {
  const names = new Map<string, string>();
  let generation = 1;

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMED || text.length > MAX_NAMED_LENGTH) return undefined;
    const name = `${prefix}_${generation}_${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return {
    on: (client) => {
      const query = (config: QueryConfig, values: unknown[]) => {
        return client.query({ ...config, name: nameOf(config.text) } as QueryConfig, values);
      };
      return { query } as PoolClient;
    },
    nameOf,
    renew: () => {
      names.clear();
      generation += 1;
    },
  };
}
