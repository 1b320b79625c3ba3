import { getTableColumns, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared, type Statement } from './prepared.ts';

/** A statement for each number of rows up to here; more are inserted rarely, and are built each time. */
const MAX_ROWS = 8;

type Values = Readonly<Record<string, unknown>>;

/**
 * An insert of rows, built once for each set of members that they have and each number of rows. Members that are undefined
 * get the column's default.
 *
 * @param build makes the statement of rows, whose values may be placeholders
 */
export function preparedInsert<Row extends object, Built extends Statement>(
  tableOf: (tables: Tables) => PgTable,
  build: (on: Handle, rows: Row[]) => Built,
): (on: Handle, rows: readonly Row[]) => Promise<Awaited<Built>> {
  const shapes = new Map<string, (on: Handle, rows: readonly Values[]) => Promise<Awaited<Built>>>();
  return async (on, rows): Promise<Awaited<Built>> => {
    const names = membersOf(rows as readonly Values[]);
    if (names === null || rows.length > MAX_ROWS) return await build(on, [...rows]);
    const count = rows.length; // the statement outlives the rows
    const key = `${count} ${names.join()}`;
    let run = shapes.get(key);
    if (run === undefined) {
      const insert = prepared((handle: Handle, given: Given<Record<string, unknown>>) => {
        const table = tableOf(handle.context.database.tables);
        const placeholders = Array.from({ length: count }, (_, at) =>
          givenRow(table, names, (name, column) => given(`${name} ${at}`, column)),
        );
        return build(handle, placeholders as Row[]);
      });
      const places = placesOf(count, names);
      run = (on, rows) => insert(on, valuesOf(rows, places));
      shapes.set(key, run);
    }
    return await run(on, rows as readonly Values[]);
  };
}

/** The members of the rows; null where they differ. */
function membersOf(rows: readonly Values[]): string[] | null {
  const [first, ...others] = rows.map((row) => Object.keys(row).filter((name) => row[name] !== undefined));
  if (first === undefined) return null;
  return others.every((names) => names.join() === first.join()) ? first : null;
}

function givenRow(
  table: PgTable,
  names: readonly string[],
  given: (name: string, column: PgTable['_']['columns'][string]) => SQL,
): object {
  const columns = getTableColumns(table);
  const members = names.map((name) => {
    const column = columns[name];
    if (column === undefined) throw new Error(`There is no column for the member ${name}.`);
    return [name, given(name, column)] as const;
  });
  return Object.fromEntries(members);
}

/** Where a value of the statement comes from. */
interface Place {
  readonly at: number;
  readonly name: string;
  /** The name of its placeholder. */
  readonly given: string;
}

function placesOf(count: number, names: readonly string[]): Place[] {
  return Array.from({ length: count }, (_, at) => names.map((name) => ({ at, name, given: `${name} ${at}` }))).flat();
}

function valuesOf(rows: readonly Values[], places: readonly Place[]): Values {
  const values: Record<string, unknown> = {};
  for (const { at, name, given } of places) values[given] = rows[at]?.[name];
  return values;
}
