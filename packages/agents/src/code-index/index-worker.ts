// The thread that owns the index's connection. It answers one message after the other, so steps of several updates
// and searches take turns, and nothing here needs a lock.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { chunkPage, chunksById } from './chunk-pages.ts';
import { type IndexDatabase, isDamage, openIndexDatabase, rebuildIndexDatabase } from './index-database.ts';
import type { IndexReply, IndexRequest, UpdateKey } from './index-protocol.ts';
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

class UpdateLost extends Error {}

function serveIndex(port: MessagePort, file: string): void {
  const updates = new Map<number, IndexUpdate>();
  let db: IndexDatabase | null = null;
  const say = (reply: IndexReply) => port.postMessage(reply);

  const opened = (): IndexDatabase => {
    if (db !== null) return db;
    const { db: fresh, rebuilt } = openIndexDatabase(file);
    db = fresh;
    if (rebuilt !== null) say({ rebuilt });
    return db;
  };
  const updateOf = (key: UpdateKey): IndexUpdate => {
    const update = updates.get(key.number);
    if (update === undefined) throw new UpdateLost('the update is not known here');
    return update;
  };

  const answer = (request: IndexRequest): unknown => {
    const { operation, input } = request;
    switch (operation) {
      case 'state':
        return findRepo(opened(), input.repo)?.index ?? null;
      case 'list': {
        const { number, repo } = input.update;
        const update = updates.get(number) ?? beginUpdate(opened(), repo);
        updates.set(number, update);
        listFiles(update, input.files);
        return null;
      }
      case 'missing':
        return nextMissing(opened(), updateOf(input.update));
      case 'put':
        putBlobs(opened(), updateOf(input.update), input.blobs);
        return null;
      case 'repath':
        return repathSome(opened(), updateOf(input.update));
      case 'finish': {
        const index = finishUpdate(opened(), updateOf(input.update), input);
        updates.delete(input.update.number);
        return index;
      }
      case 'sweep': {
        const repo = findRepo(opened(), input.repo);
        return repo !== null && sweepSome(opened(), repo.num);
      }
      case 'abandon':
        updates.delete(input.update.number);
        return null;
      case 'search':
        return searchIndex(opened(), input.repo, input);
      case 'chunks':
        return chunkPage(opened(), input.repo, input);
      case 'chunksById':
        return chunksById(opened(), input.repo, input.ids);
      case 'drop':
        dropRepo(opened(), input.repo);
        return null;
      case 'close':
        db?.close();
        db = null;
        return null;
    }
  };

  const failed = (id: number, error: unknown): IndexReply => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UpdateLost) return { id, failure: 'lost', reason };
    if (!isDamage(error)) return { id, failure: 'failed', reason };
    db?.close();
    db = rebuildIndexDatabase(file);
    updates.clear();
    say({ rebuilt: reason });
    return { id, failure: 'lost', reason };
  };

  port.on('message', (request: IndexRequest) => {
    let reply: IndexReply;
    try {
      reply = { id: request.id, value: answer(request) };
    } catch (error) {
      reply = failed(request.id, error);
    }
    say(reply);
  });
}

if (parentPort !== null) serveIndex(parentPort, String(workerData.file));
