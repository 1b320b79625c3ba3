import { bestChunks, CANDIDATES } from './best-chunks.ts';
import { bestPath } from './blob-paths.ts';
import { chunkId } from './chunk-id.ts';
import type { IndexDatabase } from './index-database.ts';
import { MAX_TEXT_LENGTH } from './index-protocol.ts';
import { findRepo, wordsTable } from './indexed-repo.ts';
import type { LexicalHit } from './lexical-index.ts';
import { matchQuery, queryTerms } from './match-query.ts';
import { namedFiles } from './named-files.ts';

// Words that stand everywhere match every chunk there is: only the best of them are looked up and weighed.
const MATCHES = 10 * CANDIDATES;

interface Candidate {
  readonly chunk: number;
  readonly file: number;
  readonly score: number;
}

interface Found extends Pick<LexicalHit, 'startLine' | 'endLine' | 'symbol' | 'text'> {
  readonly num: number;
  readonly blob: string;
}

/** The chunks that match a question best, best first. An unknown repository and a question without words find nothing. */
export function searchIndex(db: IndexDatabase, repo: string, question: { query: string; limit: number }): LexicalHit[] {
  const found = findRepo(db, repo);
  const match = matchQuery(question.query);
  if (found === null || match === null) return [];
  const words = wordsTable(found.num);
  // bm25() is negative, better = lower. The weights are those of the columns: path, name, identifiers, body.
  const candidates = db
    .prepare<[string, number], Candidate>(
      `with matched as (
         select rowid as chunk, bm25(${words}, 4.0, 3.0, 1.0, 1.0) as distance from ${words}
         where ${words} match ? order by distance limit ${MATCHES}
       )
       select chunk, blobs.num as file, -distance * blobs.weight as score
       from matched join chunks on chunks.num = chunk join blobs on blobs.num = chunks.blob
       where exists (select 1 from paths where paths.blob = blobs.num)
       order by score desc, chunk limit ?`,
    )
    .all(match, CANDIDATES);
  const named = namedFiles(db, found.num, question.query);
  const read = db.prepare<[number], Found>(
    `select blobs.num, blobs.blob, start_line as startLine, end_line as endLine, symbol,
       substr(text, 1, ${MAX_TEXT_LENGTH}) as text
     from chunks join blobs on blobs.num = chunks.blob where chunks.num = ?`,
  );
  const pathsOf = db.prepare<[number], string>('select path from paths where blob = ? order by path').pluck();
  const terms = queryTerms(question.query);
  return bestChunks(candidates, { named, limit: question.limit }).flatMap(({ chunk, score }) => {
    const row = read.get(chunk);
    if (row === undefined) return [];
    const { num, blob, ...at } = row;
    return [{ id: chunkId({ blob, ...at }), path: bestPath(pathsOf.all(num), terms), ...at, score }];
  });
}
