import { chunkId, parseChunkId } from './chunk-id.ts';
import type { IndexDatabase } from './index-database.ts';
import { LONGEST_TEXT, PAGE_CHUNKS } from './index-protocol.ts';
import { findRepo } from './indexed-repo.ts';
import type { LexicalChunk } from './lexical-index.ts';

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
  select blobs.blob, chunks.symbol, chunks.start_line as startLine, chunks.end_line as endLine, substr(chunks.text, 1, ${LONGEST_TEXT}) as text,
    (select min(path) from paths where paths.blob = blobs.num) as path
  from blobs join chunks on chunks.blob = blobs.num
  where blobs.repo = ? and exists (select 1 from paths where paths.blob = blobs.num)`;

/** A page of the chunks that are searched, after the one with the given id. */
export function chunkPage(db: IndexDatabase, repo: string, page: { after: string | null; limit: number }) {
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
export function chunksById(db: IndexDatabase, repo: string, ids: readonly string[]): LexicalChunk[] {
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
