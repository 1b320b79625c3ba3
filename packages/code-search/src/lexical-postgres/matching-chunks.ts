import { CANDIDATES } from '../lexical/best-chunks.ts';
import { soughtLexeme } from '../lexical/lexeme.ts';
import { queryTerms } from '../lexical/match-query.ts';
import { LABELLED_COUNTS, repoMark } from '../lexical/word-vector.ts';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';
import type { IndexedRepo } from './indexed-repo.ts';

/** A chunk that matches a question, as yet without its text. */
export interface Candidate {
  /** The row number of its blob. */
  readonly file: number;
  readonly startLine: number;
  readonly score: number;
}

// BM25 as FTS5 has it: how fast a word that is repeated stops to count, and how much a long chunk is held against it.
const K1 = 1.2;
const B = 0.75;
const MIN_RARITY = 1e-6; // of a word that stands in more than half of all chunks

/**
 * The chunks that match a question best, best first.
 *
 * Postgres has no BM25. What it has is `ts_rank`, which for one word with one label is the weight of that label (and a
 * constant). The labels stand for how often a word counts in a chunk, so with weights made of the chunk's length
 * that is BM25's share of the word; how rare a word is comes from the same pass over what matches.
 */
export async function matchingChunks(db: IndexConnection, repo: IndexedRepo, question: string): Promise<Candidate[]> {
  const terms = lexemesOf(question).map(([lexeme, times]) => ({ word: `'${repoMark(repo.num)}${lexeme}'`, times }));
  const chunks = repo.index?.chunks ?? 0;
  if (terms.length === 0 || chunks === 0) return [];
  const each = (sql: (at: number) => string, between = ', ') => terms.map((_, at) => sql(at)).join(between);
  const lengthShare = `${K1} * (${1 - B} + ${B} * words.length / $1::float8)`;
  const weights = LABELLED_COUNTS.map((count) => `(${count} / (${count} + ${lengthShare}))::real`);
  const rareness = (at: number) =>
    `greatest(ln(($2::float8 - count(*) filter (where r${at} > 0) + 0.5) / (count(*) filter (where r${at} > 0) + 0.5)), ${MIN_RARITY})`;
  return db.query<Candidate>(
    `with matched as materialized (
       select words.blob, words.start_line, blobs.weight, ${each((at) => `ts_rank(weights.of, words.words, $${at + 4}::tsquery) as r${at}`)}
       from ${SCHEMA}.words join ${SCHEMA}.blobs on blobs.num = words.blob
         cross join lateral (select array[${weights.join(', ')}] as of offset 0) as weights
       where words.words @@ $3::tsquery and blobs.searched
     ), rare as (select ${each((at) => `${rareness(at)} * ${terms[at]?.times ?? 1} as i${at}`)} from matched)
     select blob::float8 as file, start_line as "startLine", weight * (${each((at) => `i${at} * r${at}`, ' + ')}) as score
     from matched cross join rare order by score desc, blob, start_line limit ${CANDIDATES}`,
    [
      Math.max(repo.words / chunks, 1),
      chunks,
      terms.map(({ word }) => word).join(' | '),
      ...terms.map(({ word }) => word),
    ],
  );
}

/** What a question is looked up by, with how many of its words come to the same. */
function lexemesOf(question: string): [string, number][] {
  const counts = new Map<string, number>();
  for (const term of queryTerms(question)) {
    const lexeme = soughtLexeme(term);
    if (lexeme !== null) counts.set(lexeme, (counts.get(lexeme) ?? 0) + 1);
  }
  return [...counts];
}
