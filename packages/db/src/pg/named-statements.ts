import type { PoolClient, QueryConfig } from 'pg';

/** Each stays with every connection of the pool. Writes are some 150 texts, and one more for each count of rows. */
const MOST_NAMED = 300;
const LONGEST_NAMED = 10_000; // the longest write of one row is a third of that

interface NamedStatements {
  /** The client, its statements named. */
  on(client: PoolClient): PoolClient;
  /** Names all statements anew, on every connection: what was prepared under the old names is good no longer. */
  renew(): void;
}

/**
 * Has a client's statements prepared under a name: Postgres parses each once a connection, and after some runs plans it no
 * more. For writes, which find their rows by a key whatever the values are; a list is planned for its values.
 *
 * A new column does not break a prepared statement, as each names its columns. A new type would, and so does whoever
 * makes a session forget what it has prepared: then everything is prepared anew. A pooler in transaction mode is not
 * served, see the README.
 */
export function createNamedStatements(): NamedStatements {
  const names = new Map<string, string>();
  let generation = 1;

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_NAMED || text.length > LONGEST_NAMED) return undefined;
    const name = `sluice_${generation}_${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return {
    on: (client) => {
      const query = (config: QueryConfig, values: unknown[]) => {
        const name = nameOf(config.text);
        return client.query(name === undefined ? config : { ...config, name }, values);
      };
      return { query } as PoolClient;
    },
    renew: () => {
      names.clear();
      generation += 1;
    },
  };
}
