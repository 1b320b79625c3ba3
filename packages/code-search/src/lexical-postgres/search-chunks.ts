import { storableText } from '@sluice/core/text';
import { bestChunks } from '../lexical/best-chunks.ts';
import { bestPath } from '../lexical/blob-paths.ts';
import { chunkId } from '../lexical/chunk-id.ts';
import { MAX_TEXT_LENGTH } from '../lexical/index-protocol.ts';
import type { LexicalHit } from '../lexical/lexical-index.ts';
import { queryTerms } from '../lexical/match-query.ts';
import { fileNames, MAX_SAME } from '../lexical/named-files.ts';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';
import { findRepo } from './indexed-repo.ts';
import { matchingChunks } from './matching-chunks.ts';

interface Found extends Pick<LexicalHit, 'startLine' | 'endLine' | 'symbol' | 'text'> {
  readonly blob: string;
  readonly paths: readonly string[];
}

/** The chunks that match a question best, best first. An unknown repository and a question without words find nothing. */
export async function searchChunks(
  db: IndexConnection,
  repo: string,
  question: { readonly query: string; readonly limit: number },
): Promise<LexicalHit[]> {
  const found = await findRepo(db, repo);
  if (found === null) return [];
  const candidates = await matchingChunks(db, found, question.query);
  if (candidates.length === 0) return [];
  const named = await namedFiles(db, found.num, question.query);
  const best = bestChunks(candidates, { named, limit: question.limit });
  const rows = await db.query<Found>(
    `select blobs.blob, chunks.start_line as "startLine", end_line as "endLine", symbol, left(text, ${MAX_TEXT_LENGTH}) as text,
       (select array_agg(path order by path) from ${SCHEMA}.paths where paths.blob = blobs.num) as paths
     from unnest($1::bigint[], $2::int[]) with ordinality as one (blob, start_line, place)
       join ${SCHEMA}.chunks on chunks.blob = one.blob and chunks.start_line = one.start_line
       join ${SCHEMA}.blobs on blobs.num = one.blob
     order by place`,
    [best.map(({ file }) => file), best.map(({ startLine }) => startLine)],
  );
  const terms = queryTerms(question.query);
  // All is of one moment, so each has its row.
  return rows.map(({ blob, paths, ...at }, place) => ({
    id: chunkId({ blob, ...at }),
    path: bestPath(paths, terms),
    ...at,
    score: best[place]?.score ?? 0,
  }));
}

/** The files that a question names by their path or the end of it, by the row number of their blobs. */
async function namedFiles(db: IndexConnection, repo: number, question: string): Promise<ReadonlySet<number>> {
  const names = fileNames(question).map((name) => storableText(name, '\u{FFFD}'));
  if (names.length === 0) return new Set();
  const rows = await db.query<{ name: string; file: number }>(
    `select distinct one.name, blob::float8 as file from unnest($2::text[]) as one (name)
       join ${SCHEMA}.paths on paths.path = one.name or right(paths.path, length(one.name) + 1) = '/' || one.name
     where paths.repo = $1`,
    [repo, names],
  );
  const byName = Map.groupBy(rows, ({ name }) => name);
  const few = [...byName.values()].filter((files) => files.length <= MAX_SAME);
  return new Set(few.flat().map(({ file }) => file));
}
