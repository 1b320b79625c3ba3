// The thread that owns the index's connection. It answers one message after the other, so steps of several updates
// and searches take turns, and nothing here needs a lock.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DataLost, serveDatabase } from '../thread/serve-database.ts';
import { chunkPage, chunksById } from './chunk-pages.ts';
import { indexShape } from './index-database.ts';
import type { IndexOperations, UpdateKey } from './index-protocol.ts';
import {
  beginUpdate,
  finishUpdate,
  type IndexUpdate,
  listFiles,
  nextMissing,
  putBlobs,
  repathSome,
  sweepSome,
} from './index-update.ts';
import { dropRepo, findRepo } from './indexed-repo.ts';
import { searchIndex } from './search-index.ts';

function serveIndex(port: MessagePort, file: string): void {
  const updates = new Map<number, IndexUpdate>();
  const updateOf = (key: UpdateKey): IndexUpdate => {
    const update = updates.get(key.number);
    if (update === undefined) throw new DataLost('the update is not known here');
    return update;
  };

  serveDatabase<IndexOperations>(port, {
    file,
    shape: indexShape,
    onRebuilt: () => updates.clear(),
    answers: {
      state: (db, { repo }) => findRepo(db, repo)?.index ?? null,
      list: (db, input) => {
        const { number, repo } = input.update;
        const update = updates.get(number) ?? beginUpdate(db, repo);
        updates.set(number, update);
        listFiles(update, input.files);
        return null;
      },
      missing: (db, input) => nextMissing(db, updateOf(input.update)),
      put: (db, input) => {
        putBlobs(db, updateOf(input.update), input.blobs);
        return null;
      },
      repath: (db, input) => repathSome(db, updateOf(input.update)),
      finish: (db, input) => {
        const index = finishUpdate(db, updateOf(input.update), input);
        updates.delete(input.update.number);
        return index;
      },
      sweep: (db, input) => {
        const repo = findRepo(db, input.repo);
        return repo !== null && sweepSome(db, repo.num);
      },
      abandon: (_db, input) => {
        updates.delete(input.update.number);
        return null;
      },
      search: (db, input) => searchIndex(db, input.repo, input),
      chunks: (db, input) => chunkPage(db, input.repo, input),
      chunksById: (db, { repo, ids }) => chunksById(db, repo, ids),
      drop: (db, { repo }) => {
        dropRepo(db, repo);
        return null;
      },
    },
  });
}

if (parentPort !== null) serveIndex(parentPort, String(workerData.file));
