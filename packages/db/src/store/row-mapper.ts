import { Column, getTableName, is, SQL } from 'drizzle-orm';

/** A selected field as drizzle has it: the names that lead to it in a row, and what it was selected by. */
interface Field {
  readonly path: readonly string[];
  readonly field: unknown;
}

type Tuple = readonly unknown[];
type Row = Record<string, unknown>;
type Decode = (stored: unknown) => unknown;

interface Cell {
  readonly at: number;
  readonly name: string;
  /** Null where the driver's value is the value. */
  readonly decode: Decode | null;
}

/** The fields of one name of a row, such as those of a joined table; '' for the row's own. */
interface Group {
  readonly name: string;
  readonly cells: readonly Cell[];
  /** The column by which an outer join shows that it found nothing: then the whole is null. */
  readonly absentBy: number | null;
}

/**
 * Maps the tuples of a statement to rows as drizzle does, which looks at the kind of each field of each row again. Returns
 * null for a statement that has fields of another kind than these.
 *
 * @param isJoined by the name of each joined table, whether each row has it; undefined without joins
 */
export function rowMapper(
  fields: readonly Field[],
  isJoined: Readonly<Record<string, boolean>> | undefined,
): ((tuples: readonly Tuple[]) => Row[]) | null {
  if (fields.some(({ path, field }) => path.length > 2 || decoderOf(field) === undefined)) return null;
  const indexed = fields.map((field, at) => ({ ...field, at }));
  const byName = Map.groupBy(indexed, ({ path }) => (path.length === 1 ? '' : `${path[0]}`));
  const groups = [...byName].map(([name, members]): Group => {
    const cells = members.map(({ path, field, at }) => ({
      at,
      name: `${path.at(-1)}`,
      decode: decoderOf(field) ?? null,
    }));
    return { name, cells, absentBy: name === '' ? null : absentBy(members, isJoined) };
  });
  return (tuples) => tuples.map((tuple) => toRow(groups, tuple));
}

function toRow(groups: readonly Group[], tuple: Tuple): Row {
  const row: Row = {};
  for (const { name, cells, absentBy } of groups) {
    if (name === '') fill(row, cells, tuple);
    else row[name] = absentBy !== null && tuple[absentBy] === null ? null : fill({}, cells, tuple);
  }
  return row;
}

function fill(object: Row, cells: readonly Cell[], tuple: Tuple): Row {
  for (const { at, name, decode } of cells) {
    const stored = tuple[at];
    object[name] = stored === null || decode === null ? stored : decode(stored);
  }
  return object;
}

/** Undefined for a field of an unknown kind. */
function decoderOf(field: unknown): Decode | null | undefined {
  if (is(field, Column)) {
    const isAsStored = field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
    return isAsStored ? null : (stored) => field.mapFromDriverValue(stored);
  }
  if (is(field, SQL)) {
    const { decoder } = field as unknown as { decoder: { mapFromDriverValue: Decode } };
    return (stored) => decoder.mapFromDriverValue(stored);
  }
  return undefined;
}

function absentBy(
  members: readonly (Field & { readonly at: number })[],
  isJoined: Readonly<Record<string, boolean>> | undefined,
): number | null {
  const columns = members.filter(({ field }) => is(field, Column));
  const tables = new Set(columns.map(({ field }) => getTableName((field as Column).table)));
  const [table] = tables;
  const [first] = columns;
  if (isJoined === undefined || first === undefined || table === undefined || tables.size > 1) return null;
  return isJoined[table] === true ? null : first.at;
}
