import type { StoredVector } from '@sluice/core/code-search';
import type Database from 'better-sqlite3';
import { findCollection, openCollection, vectorTable } from './vector-database.ts';
import { IDS_PER_MESSAGE, MAX_NEIGHBOURS } from './vector-protocol.ts';

/** Writes all of the vectors or, where one has another length than the collection's, none. */
export function upsertVectors(db: Database.Database, name: string, vectors: readonly StoredVector[]): void {
  const [first] = vectors;
  if (first === undefined) return;
  db.transaction(() => {
    const collection = openCollection(db, name, first.vector.length);
    const put = db.prepare<[string, Buffer]>(
      `insert into ${vectorTable(collection)} (id, vector) values (?, ?) on conflict (id) do update set vector = excluded.vector`,
    );
    for (const { id, vector } of vectors) {
      checkLength(vector, collection.dimensions);
      put.run(id, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    }
  }).immediate();
}

export function existingIds(db: Database.Database, name: string, ids: readonly string[]): string[] {
  const collection = findCollection(db, name);
  if (collection === null) return [];
  const one = db.prepare<[string], 1>(`select 1 from ${vectorTable(collection)} where id = ?`).pluck();
  return ids.filter((id) => one.get(id) !== undefined);
}

export function nearestVectors(
  db: Database.Database,
  name: string,
  question: { readonly vector: Float32Array; readonly limit: number },
): { id: string; similarity: number }[] {
  const collection = findCollection(db, name);
  if (collection === null) return [];
  checkLength(question.vector, collection.dimensions);
  const limit = Math.min(Math.max(Math.trunc(question.limit), 1), MAX_NEIGHBOURS);
  // Without a subquery: SQLite would flatten it and compare each vector several times.
  const rows = db
    .prepare<[Float32Array, number], { id: string; distance: number | null }>(
      `select id, vec_distance_cosine(vector, ?) as distance from ${vectorTable(collection)}
       order by distance nulls last, id limit ?`,
    )
    .all(question.vector, limit);
  // A vector without a direction is near to nothing: its distance is null.
  return rows.flatMap(({ id, distance }) => (distance === null ? [] : [{ id, similarity: 1 - distance }]));
}

export function idsAfter(db: Database.Database, name: string, after: string): string[] {
  const collection = findCollection(db, name);
  if (collection === null) return [];
  return db
    .prepare<[string, number], string>(`select id from ${vectorTable(collection)} where id > ? order by id limit ?`)
    .pluck()
    .all(after, IDS_PER_MESSAGE);
}

export function removeVectors(db: Database.Database, name: string, ids: readonly string[]): void {
  const collection = findCollection(db, name);
  if (collection === null) return;
  const one = db.prepare<[string]>(`delete from ${vectorTable(collection)} where id = ?`);
  db.transaction(() => {
    for (const id of ids) one.run(id);
  }).immediate();
}

export function collectionNames(db: Database.Database, prefix: string): string[] {
  return db
    .prepare<[string, string], string>(
      'select name from collections where substr(name, 1, length(?)) = ? order by name',
    )
    .pluck()
    .all(prefix, prefix);
}

export function dropCollection(db: Database.Database, name: string): void {
  const collection = findCollection(db, name);
  if (collection === null) return;
  db.transaction(() => {
    db.exec(`drop table ${vectorTable(collection)}`);
    db.prepare('delete from collections where num = ?').run(collection.num);
  }).immediate();
}

function checkLength({ length }: Float32Array, dimensions: number): void {
  if (length !== dimensions) throw new Error(`a vector of ${length} numbers does not fit to those of ${dimensions}`);
}
