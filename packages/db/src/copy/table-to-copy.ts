import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Tables } from '../schema/schema.ts';
import * as pgTables from '../schema/schema-pg.ts';
import * as sqliteTables from '../schema/schema-sqlite.ts';

/** A row by property name, with the values that the stores use. */
export type Row = Readonly<Record<string, unknown>>;

export interface TableToCopy {
  /** The name of the table in the databases. */
  readonly name: string;
  readonly pg: PgTable;
  readonly sqlite: Table;
  /** The column that counts rows by itself, in the databases' words; null where none does. */
  readonly identity: string | null;
  /** The row as the new installation begins with it. */
  begin(row: Row): Row;
}

type BeginWith = { readonly [T in keyof Tables]?: Partial<Record<keyof Tables[T]['$inferSelect'], null>> };

/** State of the old host: its leases and what it built in its data folder. */
const BEGIN_WITH: BeginWith = {
  issues: { leaseOwner: null, leaseExpiresAt: null, runAfter: null },
  repos: { codeIndex: null },
  codehostInbox: { owner: null, heldUntil: null },
  notificationDeliveries: { owner: null, heldUntil: null },
};

/** Valid for minutes or a day, at the old address: sign-ins under way, idempotent requests, and the workers that run there. */
const LEFT_BEHIND: ReadonlySet<keyof Tables> = new Set([
  'codehostFlows',
  'loginGrants',
  'loginChallenges',
  'oidcLogoutTokens',
  'requestAnswers',
  'workers',
]);

/** Every table to copy, each after the tables that it references. */
export function tablesToCopy(): readonly TableToCopy[] {
  const onSqlite = new Map<string, unknown>(Object.entries(sqliteTables));
  const byTable = new Map<Table, keyof Tables>();
  for (const [key, table] of Object.entries(pgTables)) byTable.set(table, key as keyof Tables);
  const ordered: TableToCopy[] = [];
  const add = (table: PgTable, key: keyof Tables) => {
    if (!byTable.delete(table) || LEFT_BEHIND.has(key)) return;
    const { foreignKeys, columns } = getTableConfig(table);
    for (const { reference } of foreignKeys) {
      const { foreignTable } = reference();
      const foreignKey = byTable.get(foreignTable);
      if (foreignKey !== undefined && foreignTable !== table) add(foreignTable, foreignKey);
    }
    ordered.push({
      name: getTableName(table),
      pg: table,
      sqlite: onSqlite.get(key) as Table,
      identity: columns.find(({ generatedIdentity }) => generatedIdentity !== undefined)?.name ?? null,
      begin: (row) => ({ ...row, ...BEGIN_WITH[key] }),
    });
  };
  for (const [table, key] of [...byTable]) add(table as PgTable, key);
  return ordered;
}

/** What a driver brought, by column names, as a row. */
export function readRow(table: Table, found: Readonly<Record<string, unknown>>): Row {
  const entries = Object.entries(getTableColumns(table)).map(([property, column]: [string, Column]) => {
    const value = found[column.name] ?? null;
    return [property, value === null ? null : column.mapFromDriverValue(value)] as const;
  });
  return Object.fromEntries(entries);
}
