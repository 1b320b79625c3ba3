import { chunkId } from './chunk-id.ts';
import type { IndexDatabase } from './index-database.ts';
import { LONGEST_TEXT, MAX_HITS } from './index-protocol.ts';
import { findRepo, wordsTable } from './indexed-repo.ts';
import type { LexicalHit } from './lexical-index.ts';
import { matchQuery, queryTerms } from './match-query.ts';
import { pathWeight } from './path-weight.ts';
import { spreadHits } from './spread-hits.ts';

const CANDIDATES_PER_HIT = 5;

interface Candidate {
  readonly num: number;
  readonly blob: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol: string | null;
  readonly text: string;
  readonly score: number;
}

/** The chunks that match a question best, best first. An unknown repository and a question without words find nothing. */
export function searchIndex(db: IndexDatabase, repo: string, question: { query: string; limit: number }): LexicalHit[] {
  const found = findRepo(db, repo);
  const match = matchQuery(question.query);
  if (found === null || match === null) return [];
  const limit = Math.min(Math.max(Math.trunc(question.limit), 1), MAX_HITS);
  const words = wordsTable(found.num);
  // bm25() is negative, better = lower. The weights are those of the columns: path, name, identifiers, body.
  const candidates = db
    .prepare<[string, number], Candidate>(
      `with best as (
         select ${words}.rowid as chunk, -bm25(${words}, 4.0, 3.0, 1.0, 1.0) * blobs.weight as score
         from ${words} join chunks on chunks.num = ${words}.rowid join blobs on blobs.num = chunks.blob
         where ${words} match ? and exists (select 1 from paths where paths.blob = blobs.num)
         order by score desc, chunk limit ?
       )
       select blobs.num, blobs.blob, start_line, end_line, symbol, substr(text, 1, ${LONGEST_TEXT}) as text, score
       from best join chunks on chunks.num = best.chunk join blobs on blobs.num = chunks.blob
       order by score desc, chunk`,
    )
    .all(match, limit * CANDIDATES_PER_HIT);
  const pathsOf = db.prepare<[number], string>('select path from paths where blob = ? order by path').pluck();
  const terms = queryTerms(question.query);
  const hits = candidates.map(({ num, blob, ...at }) => ({
    id: chunkId({ blob, startLine: at.start_line, endLine: at.end_line }),
    path: bestPath(pathsOf.all(num), terms),
    startLine: at.start_line,
    endLine: at.end_line,
    symbol: at.symbol,
    text: at.text,
    score: at.score,
  }));
  return spreadHits(hits).slice(0, limit);
}

/** Of several paths with the same content, the one that the question speaks of; else written before generated code. */
function bestPath(paths: readonly string[], terms: readonly string[]): string {
  const rank = (path: string) => {
    const named = path.toLowerCase();
    return terms.filter((term) => named.includes(term)).length + pathWeight(path);
  };
  return paths.reduce((best, path) => (rank(path) > rank(best) ? path : best), paths[0] ?? '');
}
