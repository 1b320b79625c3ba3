/** What differs between the engines in the text of the rows. */
export interface Words {
  /** The numbers from 1 as a table `numbers (n)`. */
  readonly numbers: (count: number) => string;
  /** An instant, of milliseconds since 1970, or of SQL that computes them. */
  readonly at: (ms: number | string) => string;
  /** JSON, of SQL that makes its text. */
  readonly json: (text: string) => string;
  /** An instant that is null. */
  readonly never: string;
  readonly bytes: string;
}

export const sqliteWords: Words = {
  numbers: (count) =>
    `create temp table numbers as with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r`,
  at: (ms) => `(${ms})`,
  json: (text) => `(${text})`,
  never: 'null',
  bytes: "x'00'",
};

export const pgWords: Words = {
  numbers: (count) => `create temp table numbers as select generate_series(1, ${count}::bigint) as n`,
  at: (ms) => `to_timestamp((${ms}) / 1000.0)`,
  json: (text) => `(${text})::jsonb`,
  never: 'null::timestamp with time zone',
  bytes: "'\\x00'::bytea",
};

const FIRST = 100_000_000_000; // of twelve digits
const ids = {
  user: 'aaa',
  repo: 'bbb',
  issue: 'ccc',
  session: 'ddd',
  target: 'eee',
  delivery: 'fff',
  token: 'aab',
  attachment: 'aac',
};

/** The SQL of an id; `n` is a number, or SQL that computes one. */
export function idOf(kind: keyof typeof ids, n: string | number): string {
  return `('0193a5b0-7c3e-7${ids[kind]}-8000-' || (${FIRST} + ${n}))`;
}

/** The id itself. */
export function idAt(kind: keyof typeof ids, n: number): string {
  return `0193a5b0-7c3e-7${ids[kind]}-8000-${FIRST + n}`;
}

/** The statement that adds a row for each of `from`. */
export function rows(table: string, values: Readonly<Record<string, string | number>>, from: string): string {
  const columns = Object.keys(values).map((name) => `"${name}"`);
  return `insert into ${table} (${columns.join(', ')}) select ${Object.values(values).join(', ')} from ${from}`;
}

/** The statement that adds one row. */
export function row(table: string, values: Readonly<Record<string, string | number>>): string {
  return rows(table, values, '(select 1 as one) as once where true');
}

/** A text of a usual length, as people and agents write them. */
export const TEXT = 'A text of a usual length, as people and agents write them. '.repeat(8);
export const DAY_MS = 86_400_000;

/** Instants by the days before or after `now`; of a text, by what it computes from a column. */
export function timesAround(now: number, at: Words['at']) {
  const days = (count: number | string) => (typeof count === 'number' ? count * DAY_MS : `(${count}) * ${DAY_MS}`);
  return {
    ago: (count: number | string) => at(`${now} - ${days(count)}`),
    ahead: (count: number | string) => at(`${now} + ${days(count)}`),
  };
}
