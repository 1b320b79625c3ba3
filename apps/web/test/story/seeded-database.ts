import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Value = string | number | null;
export type Row = Readonly<Record<string, Value | readonly unknown[] | object>>;

/**
 * The database of a running service, to which a test adds what agents and models would have written. So a page can be shown
 * what no built-in model says: costs, long histories, hostile texts. Objects are written as JSON.
 */
export interface SeededDatabase extends Disposable {
  insert(table: string, rows: readonly Row[]): void;
  change(table: string, id: string, row: Row): void;
}

export function openSeededDatabase(dataDir: string): SeededDatabase {
  const database = new DatabaseSync(join(dataDir, 'sluice.db'));
  database.exec('pragma busy_timeout = 60000');
  const stored = (value: Row[string]): Value =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Value);
  return {
    insert(table, rows) {
      database.exec('begin immediate');
      for (const row of rows) {
        const names = Object.keys(row);
        database
          .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
          .run(...Object.values(row).map(stored));
      }
      database.exec('commit');
    },
    change(table, id, row) {
      const changes = Object.keys(row).map((name) => `${name} = ?`);
      database
        .prepare(`update ${table} set ${changes.join(', ')} where id = ?`)
        .run(...Object.values(row).map(stored), id);
    },
    [Symbol.dispose]: () => database.close(),
  };
}
