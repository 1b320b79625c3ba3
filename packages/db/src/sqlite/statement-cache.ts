import type Sqlite from 'better-sqlite3';

/** There are some 250 statements, and one more for each number of rows of an `in` or of an insert. */
const MOST_KEPT = 500;

/**
 * The connection, which compiles each statement once, however often its text is prepared. SQLite compiles a kept
 * statement again by itself when the tables have changed.
 */
export function withStatementCache(connection: Sqlite.Database): Pick<Sqlite.Database, 'prepare'> {
  const kept = new Map<string, Sqlite.Statement>();
  const prepare = (text: string) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const compiled = connection.prepare(text);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(text, compiled);
    return compiled;
  };
  return { prepare: prepare as Sqlite.Database['prepare'] };
}
