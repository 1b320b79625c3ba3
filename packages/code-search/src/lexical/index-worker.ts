// The thread that owns the index's connection. It answers one message after the other, so steps of several updates
// and searches take turns, and nothing here needs a lock.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DataLost, serveDatabase } from '../thread/serve-database.ts';
import { chunkId, parseChunkId } from './chunk-id.ts';
import { type IndexDatabase, indexShape } from './index-database.ts';
import { type IndexOperations, MAX_TEXT_LENGTH, PAGE_CHUNKS, type UpdateKey } from './index-protocol.ts';
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
import type { LexicalChunk } from './lexical-index.ts';
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

interface Row {
  readonly blob: string;
  readonly path: string;
  readonly symbol: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

// Only what a path names is searched; the rest is work done ahead of the next update.
const CHUNK = `
  select blobs.blob, chunks.symbol, chunks.start_line as startLine, chunks.end_line as endLine, substr(chunks.text, 1, ${MAX_TEXT_LENGTH}) as text,
    (select min(path) from paths where paths.blob = blobs.num) as path
  from blobs join chunks on chunks.blob = blobs.num
  where blobs.repo = ? and exists (select 1 from paths where paths.blob = blobs.num)`;

/** One page of searchable chunks, after the chunk with the given id. */
function chunkPage(db: IndexDatabase, repo: string, page: { after: string | null; limit: number }) {
  const found = findRepo(db, repo);
  const after = page.after === null ? { blob: '', startLine: 0 } : parseChunkId(page.after);
  if (found === null || after === null) return [];
  const limit = Math.min(Math.max(Math.trunc(page.limit), 1), PAGE_CHUNKS);
  return db
    .prepare<[number, string, number, number], Row>(
      `${CHUNK} and (blobs.blob, chunks.start_line) > (?, ?) order by blobs.blob, chunks.start_line limit ?`,
    )
    .all(found.num, after.blob, after.startLine, limit)
    .map(toChunk);
}

/** The chunks with the given ids, in their order; ids that nothing has are left out. */
function chunksById(db: IndexDatabase, repo: string, ids: readonly string[]): LexicalChunk[] {
  const found = findRepo(db, repo);
  if (found === null) return [];
  const one = db.prepare<[number, string, number, number], Row>(
    `${CHUNK} and blobs.blob = ? and chunks.start_line = ? and chunks.end_line = ?`,
  );
  return ids.flatMap((id) => {
    const place = parseChunkId(id);
    const row = place === null ? undefined : one.get(found.num, place.blob, place.startLine, place.endLine);
    return row === undefined ? [] : [toChunk(row)];
  });
}

function toChunk(row: Row): LexicalChunk {
  return { id: chunkId(row), ...row };
}

if (parentPort !== null) serveIndex(parentPort, String(workerData.file));
