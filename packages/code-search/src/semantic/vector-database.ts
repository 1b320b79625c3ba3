import type Database from 'better-sqlite3';
import { getLoadablePath } from 'sqlite-vec';
import type { DatabaseShape } from '../thread/derived-database.ts';

/*
 * One table a collection, so that a search reads what it compares in one piece and dropping one is dropping a table.
 * Plain rows and not the extension's own tables: those set room for 1,024 vectors aside for the smallest collection,
 * give none of it back and answer 4,096 neighbours at most, and an exact scan of them is no faster.
 */
const SCHEMA = `
create table collections (
  num integer primary key,
  name text not null unique,
  dimensions integer not null
);
`;

export const vectorShape: DatabaseShape = {
  version: 1,
  schema: SCHEMA,
  // A vector of 1,536 numbers in SQLite's usual page of 4 KiB is a chain of two, and reading it takes twice as long.
  pageBytes: 16_384,
  prepare: (db) => {
    db.pragma('cache_size = -65536'); // 64 MiB: the vectors of a usual repository stay in memory
    db.loadExtension(getLoadablePath());
  },
};

export interface Collection {
  readonly num: number;
  readonly dimensions: number;
}

/** The name of a collection's table. `num` is our own row number, so it is safe inside SQL. */
export function vectorTable({ num }: Collection): string {
  return `vectors_${num}`;
}

export function findCollection(db: Database.Database, name: string): Collection | null {
  const row = db.prepare<[string], Collection>('select num, dimensions from collections where name = ?').get(name);
  return row ?? null;
}

/** The collection with this name, which is made for vectors of this length when it is new. */
export function openCollection(db: Database.Database, name: string, dimensions: number): Collection {
  const found = findCollection(db, name);
  if (found !== null) return found;
  const add = db.prepare<[string, number]>('insert into collections (name, dimensions) values (?, ?)');
  const made = { num: Number(add.run(name, dimensions).lastInsertRowid), dimensions };
  db.exec(`create table ${vectorTable(made)} (num integer primary key, id text not null unique, vector blob not null)`);
  return made;
}
