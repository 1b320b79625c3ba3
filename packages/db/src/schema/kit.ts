import { storableText } from '@sluice/core/text';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  type PgColumn,
  type PgDatabase,
  type PgQueryResultHKT,
  customType as pgCustomType,
  pgTable,
  primaryKey,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import {
  check as sqliteCheck,
  customType as sqliteCustomType,
  index as sqliteIndex,
  integer as sqliteInteger,
  primaryKey as sqlitePrimaryKey,
  real as sqliteReal,
  sqliteTable,
  uniqueIndex as sqliteUniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { storedJson } from './stored-text.ts';

// The column kit is the one place where the dialects' columns meet. The schema and all queries are written once against
// the Postgres types; the SQLite kit has the same names and behaviour, and is cast to them here.

const pgText = pgCustomType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (text) => storableText(text),
});
const pgBytes = pgCustomType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const pgJson = pgCustomType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storedJson,
});

/** A value whose stored JSON differs from what the program works with. */
export interface StoredForm<T, S> {
  toStored(value: T): S;
  fromStored(stored: S): T;
}

const pgMappedJson = <T, S>({ toStored, fromStored }: StoredForm<T, S>) =>
  pgCustomType<{ data: T; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => storedJson(toStored(value)),
    fromDriver: (stored) => fromStored(stored as S),
  });

export const pgKit = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  check,
  /**
   * Further columns of an index, so that SQLite reads them without a look at the row. None on Postgres: there each write of such a
   * column would write to every index of the table.
   */
  alsoRead: (..._columns: PgColumn[]): PgColumn[] => [],
  text: (name: string) => pgText(name),
  json: <T>(name: string) => pgJson(name).$type<T>(),
  mappedJson: <T, S>(name: string, form: StoredForm<T, S>) => pgMappedJson(form)(name).$type<T>(),
  bytes: (name: string) => pgBytes(name),
  bool: (name: string) => boolean(name),
  /** 32 bits. */
  int: (name: string) => integer(name),
  /** 64 bits, of which JavaScript's safe integers are used: totals. */
  big: (name: string) => bigint(name, { mode: 'number' }),
  real: (name: string) => doublePrecision(name),
  instant: (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' }),
  /** A number that grows with every row: the order of arrival. Never sort by time, two rows share a millisecond. */
  identity: (name: string) => bigint(name, { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
};

export type Kit = typeof pgKit;

const sqliteText = sqliteCustomType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (text) => storableText(text),
});
const sqliteBytes = sqliteCustomType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' });
const sqliteJson = sqliteCustomType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: storedJson,
  fromDriver: (text) => JSON.parse(text),
});

const sqliteMappedJson = <T, S>({ toStored, fromStored }: StoredForm<T, S>) =>
  sqliteCustomType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => storedJson(toStored(value)),
    fromDriver: (text) => fromStored(JSON.parse(text)),
  });

export const sqliteKit = {
  table: sqliteTable,
  index: sqliteIndex,
  uniqueIndex: sqliteUniqueIndex,
  primaryKey: sqlitePrimaryKey,
  check: sqliteCheck,
  alsoRead: (...columns: unknown[]) => columns,
  text: (name: string) => sqliteText(name),
  json: (name: string) => sqliteJson(name),
  mappedJson: <T, S>(name: string, form: StoredForm<T, S>) => sqliteMappedJson(form)(name),
  bytes: (name: string) => sqliteBytes(name),
  bool: (name: string) => sqliteInteger(name, { mode: 'boolean' }),
  int: (name: string) => sqliteInteger(name),
  big: (name: string) => sqliteInteger(name),
  real: (name: string) => sqliteReal(name),
  instant: (name: string) => sqliteInteger(name, { mode: 'timestamp_ms' }),
  identity: (name: string) => sqliteInteger(name).primaryKey({ autoIncrement: true }),
} as unknown as Kit;

/**
 * The driver's result of a write has no type here, so that no code can read a row count, which the engines report
 * differently.
 */
interface Opaque extends PgQueryResultHKT {
  type: unknown;
}

/**
 * A handle for queries that behave alike on both engines. No `transaction`, no `execute`; writes that matter end in
 * `returning`.
 */
export type Db = Pick<
  PgDatabase<Opaque, Record<string, never>>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$with' | 'with' | '$count'
>;
