import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite, type SqliteOptions, type Stores } from '@sluice/db';
import Sqlite from 'better-sqlite3';

const MEMORY_FOLDER = '/dev/shm'; // a file there costs no disk, and a flush nothing

/** A migrated, empty database, of which each run gets a copy. */
export interface Databases extends Disposable {
  open(options: Omit<SqliteOptions, 'dataDir'>): Promise<SimDatabase>;
}

/** The database of one run. */
interface SimDatabase {
  readonly stores: Stores;
  /** A connection of its own, for the oracle. It reads what is committed. */
  readonly raw: Sqlite.Database;
  /** Whether a call of a store has not been answered yet. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export async function createDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'sluice-sim-'));
  const template = join(folder, 'template');
  const made = await openSqlite({ dataDir: template, clock: { now: () => new Date(0) } });
  await made.close();
  let count = 0;
  return {
    async open(options) {
      count += 1;
      const dataDir = join(folder, `run-${count}`);
      mkdirSync(dataDir);
      const file = join(dataDir, 'sluice.db');
      copyFileSync(join(template, 'sluice.db'), file);
      const stores = await openSqlite({ ...options, dataDir });
      const raw = new Sqlite(file, { readonly: true });
      const calls = { underWay: 0 };
      return {
        stores: counted(stores, calls),
        raw,
        isBusy: () => calls.underWay > 0,
        async close() {
          raw.close();
          await stores.close();
          rmSync(dataDir, { recursive: true, force: true });
        },
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The stores, with a count of their calls that have not been answered. */
function counted(stores: Stores, calls: { underWay: number }): Stores {
  const count = (call: (...args: unknown[]) => unknown) =>
    async function counted(...args: unknown[]): Promise<unknown> {
      calls.underWay += 1;
      try {
        return await call(...args);
      } finally {
        calls.underWay -= 1;
      }
    };
  const countedStore = (store: object) =>
    Object.fromEntries(Object.entries(store).map(([name, call]) => [name, count(call)]));
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, typeof store === 'function' ? store : countedStore(store)]),
  ) as unknown as Stores;
}
