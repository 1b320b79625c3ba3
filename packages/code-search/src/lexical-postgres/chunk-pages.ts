import { chunkId, parseChunkId } from '../lexical/chunk-id.ts';
import { MAX_TEXT_LENGTH, PAGE_CHUNKS } from '../lexical/index-protocol.ts';
import type { LexicalChunk } from '../lexical/lexical-index.ts';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';

interface Row {
  readonly blob: string;
  readonly path: string;
  readonly symbol: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

const COLUMNS = `blobs.blob, chunks.symbol, chunks.start_line as "startLine", chunks.end_line as "endLine",
  left(chunks.text, ${MAX_TEXT_LENGTH}) as text, (select min(path) from ${SCHEMA}.paths where paths.blob = blobs.num) as path`;

// Only what a path names is searched; the rest is work done ahead of the next update.
const SEARCHED = `
  from ${SCHEMA}.repos join ${SCHEMA}.blobs on blobs.repo = repos.num and blobs.searched
    join ${SCHEMA}.chunks on chunks.blob = blobs.num
  where repos.repo = $1`;

/** One page of searchable chunks, after the chunk with the given id. */
export async function chunkPage(
  db: IndexConnection,
  repo: string,
  page: { readonly after: string | null; readonly limit: number },
): Promise<LexicalChunk[]> {
  const after = page.after === null ? { blob: '', startLine: 0 } : parseChunkId(page.after);
  if (after === null) return [];
  const limit = Math.min(Math.max(Math.trunc(page.limit), 1), PAGE_CHUNKS);
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${SEARCHED} and blobs.blob >= $2 and (blobs.blob, chunks.start_line) > ($2, $3)
     order by blobs.blob, chunks.start_line limit $4`,
    [repo, after.blob, after.startLine, limit],
  );
  return rows.map(toChunk);
}

/** The chunks with the given ids, at most `PAGE_CHUNKS`, in their order; ids that nothing has are left out. */
export async function chunksById(db: IndexConnection, repo: string, ids: readonly string[]): Promise<LexicalChunk[]> {
  const places = ids.map(parseChunkId).filter((place) => place !== null);
  const rows = await db.query<Row>(
    `select ${COLUMNS} from unnest($2::text[], $3::int[], $4::int[]) with ordinality as one (blob, start_line, end_line, place)
       join ${SCHEMA}.repos on repos.repo = $1
       join ${SCHEMA}.blobs on blobs.repo = repos.num and blobs.blob = one.blob and blobs.searched
       join ${SCHEMA}.chunks on chunks.blob = blobs.num and chunks.start_line = one.start_line and chunks.end_line = one.end_line
     order by place`,
    [
      repo,
      places.map(({ blob }) => blob),
      places.map(({ startLine }) => startLine),
      places.map(({ endLine }) => endLine),
    ],
  );
  return rows.map(toChunk);
}

function toChunk(row: Row): LexicalChunk {
  return { id: chunkId(row), ...row };
}
