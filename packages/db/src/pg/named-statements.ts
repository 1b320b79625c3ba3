import type { PoolClient, QueryConfig } from 'pg';

/** Each stays with every connection of the pool. Writes are some 150 texts, and one more for each count of rows. */
const MOST_NAMED = 300;
const LONGEST_NAMED = 10_000; // the longest write of one row is a third of that

/**
 * Has a client's statements prepared under a name: Postgres parses each once a connection, and after some runs plans it no
 * more. For writes, which find their rows by a key whatever the values are; a list is planned for its values.
 *
 * A new column does not break a prepared statement, as each names its columns. A pooler in between would, see the README.
 */
export function createNamedStatements(): (client: PoolClient) => PoolClient {
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_NAMED || text.length > LONGEST_NAMED) return undefined;
    const name = `sluice_${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return (client) => {
    const query = (config: QueryConfig, values: unknown[]) => {
      const name = nameOf(config.text);
      return client.query(name === undefined ? config : { ...config, name }, values);
    };
    return { query } as PoolClient;
  };
}
