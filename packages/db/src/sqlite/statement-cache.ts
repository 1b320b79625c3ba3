import type Sqlite from 'better-sqlite3';

/**
 * The statements that are kept. There are some 250, and one more for each number of rows of an `in` or of an insert.
 */
const MOST_KEPT = 500;
const PLACEHOLDER = /'[^']*'|"[^"]*"|\?/g;

/**
 * The connection, which compiles each statement once, however often its text is prepared; beyond `mostKept` texts the one
 * that was not used for longest is dropped. SQLite compiles a kept statement again by itself when the tables have changed.
 */
export function withStatementCache(
  connection: Pick<Sqlite.Database, 'prepare'>,
  mostKept = MOST_KEPT,
): Pick<Sqlite.Database, 'prepare'> {
  const kept = new Map<string, Sqlite.Statement>();
  const prepare = (text: string) => {
    const known = kept.get(text);
    const statement = known ?? connection.prepare(plannedOnce(text));
    if (known !== undefined) kept.delete(text); // the latest use is the last one
    kept.set(text, statement);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
  return { prepare: prepare as Sqlite.Database['prepare'] };
}

/**
 * The statement with `+?` for `?`, which has the same value. Where SQLite looks at the value of a bare placeholder to choose
 * a plan, as in a limit or in most joins, it compiles the statement again for each new value: that takes several times as
 * long as running it. There is no plan here that depends on a value.
 */
function plannedOnce(text: string): string {
  return text.replace(PLACEHOLDER, (found) => (found === '?' ? '+?' : found));
}
