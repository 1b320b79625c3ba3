import { type Column, type DriverValueEncoder, Param, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import { pgExecution } from './pg-execution.ts';
import { rowMapper } from './row-mapper.ts';
import type { StoreContext } from './store-context.ts';

/** Where a statement runs: a store's reads, or a running write. */
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
 * A statement that is built and prepared at its first use on each handle, and then only executed: building the SQL of a
 * read takes longer than the read. `build` sees no value, so the SQL cannot depend on one: a statement of several shapes
 * is several of these. On Postgres each connection prepares it at its first use, see `named-statements.ts`.
 */
export function prepared<Values extends object, Built extends Statement>(
  build: (on: Handle, given: Given<Values>) => Built,
): (on: Handle, values: Values) => Promise<Awaited<Built>> {
  const ready = new WeakMap<Db, Ready>();
  return async (on, values): Promise<Awaited<Built>> => {
    let statement = ready.get(on.db);
    if (statement === undefined) {
      statement = withShortcuts(build(on, given as Given<Values>).prepare(NAMED));
      ready.set(on.db, statement);
    }
    // house-rule(drizzle-pitfall): of a built statement it answers with the rows, as awaiting the builder does
    return (await statement.execute(values as Record<string, unknown>)) as Awaited<Built>;
  };
}

/** With its rows mapped, and on Postgres executed, in fewer steps than by drizzle. */
function withShortcuts(statement: Ready): Ready {
  const mapped = statement as Mapped;
  const { fields, joinsNotNullableMap } = mapped;
  if (fields !== undefined) mapped.customResultMapper ??= rowMapper(fields, joinsNotNullableMap) ?? undefined;
  const execute = pgExecution(statement);
  return execute === null ? statement : { execute };
}

/**
 * As `prepared`, for a statement of several shapes: one is prepared for each. `build` reads from `shape` which parts the
 * statement has, and nothing else. There must be few: on Postgres 300 statements are kept.
 */
export function preparedShapes<Shape, Values extends object, Built extends Statement>(
  build: (on: Handle, given: Given<Values>, shape: Shape) => Built,
): (on: Handle, shape: Shape, values: Values) => Promise<Awaited<Built>> {
  const made = new Map<string, (on: Handle, values: Values) => Promise<Awaited<Built>>>();
  return async (on, shape, values): Promise<Awaited<Built>> => {
    const key = JSON.stringify(shape);
    let run = made.get(key);
    if (run === undefined) {
      run = prepared((on, given: Given<Values>) => build(on, given, shape));
      made.set(key, run);
    }
    return (await run(on, values)) as Awaited<Built>;
  };
}

/** Marks a statement as one to be named; its name is made where it is sent. */
const NAMED = 'prepared';

function given(name: string, column?: Column): SQL | Placeholder {
  const placeholder = sql.placeholder(name);
  return column === undefined ? placeholder : sql`${new Param(placeholder, orNull(column))}`;
}

/** drizzle encodes the null of a placeholder as if it were a value. */
function orNull(column: Column): DriverValueEncoder<unknown, unknown> {
  return { mapToDriverValue: (value) => (value === null ? null : column.mapToDriverValue(value)) };
}
