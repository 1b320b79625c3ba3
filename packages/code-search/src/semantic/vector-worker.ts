// The thread that owns the connection to the vectors: comparing some ten thousand takes longer than an event loop may.
import { parentPort, workerData } from 'node:worker_threads';
import { serveDatabase } from '../thread/serve-database.ts';
import { vectorShape } from './vector-database.ts';
import type { VectorOperations } from './vector-protocol.ts';
import {
  collectionNames,
  dropCollection,
  existingIds,
  idsAfter,
  nearestVectors,
  removeVectors,
  upsertVectors,
} from './vector-rows.ts';

if (parentPort !== null) {
  serveDatabase<VectorOperations>(parentPort, {
    file: String(workerData.file),
    shape: vectorShape,
    answers: {
      upsert: (db, { collection, vectors }) => {
        upsertVectors(db, collection, vectors);
        return null;
      },
      existing: (db, { collection, ids }) => existingIds(db, collection, ids),
      nearest: (db, { collection, ...question }) => nearestVectors(db, collection, question),
      ids: (db, { collection, after }) => idsAfter(db, collection, after),
      remove: (db, { collection, ids }) => {
        removeVectors(db, collection, ids);
        return null;
      },
      collections: (db, { prefix }) => collectionNames(db, prefix),
      drop: (db, { collection }) => {
        dropCollection(db, collection);
        return null;
      },
      check: (db) => {
        db.prepare('select count(*) from collections').get();
        return null;
      },
    },
  });
}
