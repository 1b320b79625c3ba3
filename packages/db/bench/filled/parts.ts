import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as tables from '../../src/schema/schema-sqlite.ts';

/** A table or an index. */
interface Part {
  readonly name: string;
  /** The SQL of its rows. Of an index those of which every column has a value: it orders nothing by the others. */
  readonly rows: string;
}

const dialect = new SQLiteSyncDialect();

/** Every table and index of the schema. */
export const parts: readonly Part[] = Object.values(tables as object)
  .filter((table) => is(table, SQLiteTable))
  .flatMap((table) => {
    const { name, indexes } = getTableConfig(table);
    return [
      { name, rows: `select 1 from ${name}` },
      ...indexes.map(({ config }) => {
        const values = config.columns.map((column) => ('name' in column ? `"${column.name}" is not null` : 'true'));
        const within = config.where === undefined ? [] : [dialect.sqlToQuery(config.where).sql];
        return { name: config.name, rows: `select 1 from ${name} where ${[...values, ...within].join(' and ')}` };
      }),
    ];
  });

/** Checks that the fill has left no table or index empty. @throws Error when there are such parts */
export function refuseEmpty(empty: readonly Part[]): void {
  if (empty.length === 0) return;
  const names = empty.map(({ name }) => name).join(', ');
  throw new Error(
    `The fill leaves these tables and indexes without a row: ${names}. Add rows for them to bench/filled/.`,
  );
}
