import { Param, Placeholder } from 'drizzle-orm';
import type { QueryConfig, QueryResult } from 'pg';
import type { rowMapper } from './row-mapper.ts';

type Values = Readonly<Record<string, unknown>>;

/** What drizzle's prepared statements on Postgres have, and their types do not. */
interface PgStatement {
  readonly client: { query(config: QueryConfig, values: unknown[]): Promise<QueryResult> };
  /** Asks for rows as arrays. */
  readonly queryConfig: QueryConfig;
  readonly params: readonly unknown[];
  /** Undefined for a statement without rows. */
  readonly fields?: readonly unknown[] | undefined;
  readonly customResultMapper?: ReturnType<typeof rowMapper> | undefined;
}

/**
 * Executes drizzle's prepared statement on Postgres, and answers as its own `execute` does. That passes through four
 * asynchronous functions, and looks for the kind of each parameter at each call. Returns null for a statement of another
 * engine, and for one whose rows only drizzle can map.
 */
export function pgExecution(statement: object): ((values: Values) => Promise<unknown>) | null {
  if (!isOfPg(statement)) return null;
  const { client, queryConfig, params, fields, customResultMapper: mapRows } = statement;
  if (fields !== undefined && mapRows == null) return null;
  const fills = params.map(fillOf);
  return async (values) => {
    const filled = fills.map((fill) => fill(values));
    const result = await client.query(queryConfig, filled);
    return mapRows == null ? result : mapRows(result.rows);
  };
}

function isOfPg(statement: object): statement is PgStatement {
  return 'client' in statement && 'queryConfig' in statement && 'params' in statement;
}

function fillOf(param: unknown): (values: Values) => unknown {
  if (param instanceof Placeholder) return (values) => givenValue(values, param.name);
  if (param instanceof Param && param.value instanceof Placeholder) {
    const { value, encoder } = param;
    return (values) => encoder.mapToDriverValue(givenValue(values, value.name));
  }
  return () => param;
}

function givenValue(values: Values, name: string): unknown {
  if (!(name in values)) throw new Error(`A statement was given no value for "${name}".`);
  return values[name];
}
