import { type Column, type DriverValueEncoder, Param, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import { pgExecution } from './pg-execution.ts';
import { rowMapper } from './row-mapper.ts';
import type { StoreContext } from './store-context.ts';

/** The connection of a statement: a store's reads, or a running write. */
export interface Handle {
  readonly context: StoreContext;
  readonly db: Db;
}

/** Names the values that a statement is given at each execution. */
export interface Given<Values> {
  /** A value that is stored in, or compared with, a column. */
  <Name extends keyof Values & string>(name: Name, column: Column): SQL<Values[Name]>;
  /** A bare number: a limit. */
  <Name extends keyof Values & string>(name: Name): Placeholder<Name, Values[Name]>;
}

/** What drizzle's builders of statements have in common. */
export interface Statement extends PromiseLike<unknown> {
  prepare(name: string): Ready;
}
interface Ready {
  execute(values: Record<string, unknown>): PromiseLike<unknown>;
}
/** What drizzle's prepared statements have beside that, and their types do not. */
interface Mapped {
  readonly fields?: Parameters<typeof rowMapper>[0] | undefined;
  readonly joinsNotNullableMap?: Parameters<typeof rowMapper>[1];
  customResultMapper?: ReturnType<typeof rowMapper> | undefined;
}

/**
 * When Postgres plans a statement. `once` on each connection, after some runs: right for what finds rows by a key or in
 * the order of one index, whatever the values. `each time` for the values of this execution: for what has several indexes
 * to choose from, of which the best depends on a value (how many issues have this status) or on a limit, which a plan for all
 * values takes for a tenth of the rows. The growth bench finds those that need it.
 *
 * Measured on Postgres 15, CPU of the server: an empty page of issues of one status costs 1.1 ms when it is parsed and
 * planned each time (1.0 when it is only planned), 11.7 ms by the plan for all values among 20,000 issues, and that grows with the table. Setting `plan_cache_mode`
 * on the connections would plan every statement each time: the writes of a stage then cost 1.70 ms instead of 0.85.
 */
type Planning = 'once' | 'each time';

/** The name of a statement until it is sent, where it gets its own. Without a name Postgres keeps no plan. */
const NAMES: Readonly<Record<Planning, string>> = { once: 'prepared', 'each time': '' };

/**
 * A statement that is built and prepared at its first use on each handle, and then only executed: building the SQL of a
 * read takes longer than the read. `build` sees no value, so the SQL cannot depend on one: a statement of several shapes
 * is several of these. On Postgres each connection prepares it at its first use, see `named-statements.ts`, unless it is to
 * be planned each time.
 */
export function prepared<Values extends object, Built extends Statement>(
  build: (on: Handle, given: Given<Values>) => Built,
  { planned = 'once' }: { readonly planned?: Planning } = {},
): (on: Handle, values: Values) => Promise<Awaited<Built>> {
  const ready = new WeakMap<Db, Ready>();
  return async (on, values): Promise<Awaited<Built>> => {
    let statement = ready.get(on.db);
    if (statement === undefined) {
      statement = withShortcuts(build(on, given as Given<Values>).prepare(NAMES[planned]));
      ready.set(on.db, statement);
    }
    // house-rule(drizzle-pitfall): of a built statement it answers with the rows, as awaiting the builder does
    return (await statement.execute(values as Record<string, unknown>)) as Awaited<Built>;
  };
}

/** A statement with its rows mapped, and on Postgres executed, in fewer steps than by drizzle. */
function withShortcuts(statement: Ready): Ready {
  const mapped = statement as Mapped;
  const { fields, joinsNotNullableMap } = mapped;
  if (fields !== undefined) mapped.customResultMapper ??= rowMapper(fields, joinsNotNullableMap) ?? undefined;
  const execute = pgExecution(statement);
  return execute === null ? statement : { execute };
}

/**
 * Like `prepared`, for a statement of several shapes: one is prepared for each. `build` reads from `shape` which parts
 * the statement has, and nothing else. There must be few: on Postgres 300 statements are kept.
 */
export function preparedShapes<Shape, Values extends object, Built extends Statement>(
  build: (on: Handle, given: Given<Values>, shape: Shape) => Built,
  planning: { readonly planned?: Planning } = {},
): (on: Handle, shape: Shape, values: Values) => Promise<Awaited<Built>> {
  const made = new Map<string, (on: Handle, values: Values) => Promise<Awaited<Built>>>();
  return async (on, shape, values): Promise<Awaited<Built>> => {
    const key = JSON.stringify(shape);
    let run = made.get(key);
    if (run === undefined) {
      run = prepared((on, given: Given<Values>) => build(on, given, shape), planning);
      made.set(key, run);
    }
    return (await run(on, values)) as Awaited<Built>;
  };
}

function given(name: string, column?: Column): SQL | Placeholder {
  const placeholder = sql.placeholder(name);
  return column === undefined ? placeholder : sql`${new Param(placeholder, orNull(column))}`;
}

/** drizzle encodes the null of a placeholder as if it were a value. */
function orNull(column: Column): DriverValueEncoder<unknown, unknown> {
  return { mapToDriverValue: (value) => (value === null ? null : column.mapToDriverValue(value)) };
}
