import type { CodeHit, RepoId } from '@sluice/core';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { fuseRanks } from './fuse-ranks.ts';
import type { NearestPieces } from './nearest-pieces.ts';
import { spreadHits } from './spread-hits.ts';

const CANDIDATES_PER_HIT = 5; // several pieces of one file take the places of one
const MAX_CANDIDATES = 100; // what the index by words answers at most

interface Question {
  readonly repoId: RepoId;
  readonly query: string;
  readonly limit: number;
}

/** The pieces of code that the words and the vectors find, fused by reciprocal rank. */
export async function searchBoth(
  by: { readonly lexical: LexicalIndex; readonly nearest: NearestPieces },
  { repoId, query, limit: asked }: Question,
  signal: AbortSignal,
): Promise<CodeHit[]> {
  const limit = Math.min(Math.max(Math.trunc(asked), 1), MAX_CANDIDATES);
  const wide = { query, limit: Math.min(limit * CANDIDATES_PER_HIT, MAX_CANDIDATES) };
  const [words, near] = await Promise.all([
    by.lexical.search(repoId, wide, signal),
    by.nearest.find(repoId, wide, signal),
  ]);
  // Of a content at several paths the words know which one is meant.
  const hits = new Map<string, CodeHit>(words.map(({ id, ...hit }) => [id, hit]));
  const onlyNear = near.filter((id) => !hits.has(id));
  for (const { id, path, startLine, endLine, symbol, text } of await by.lexical.chunksById(repoId, onlyNear)) {
    hits.set(id, { path, startLine, endLine, symbol, text, score: 0 });
  }
  signal.throwIfAborted();
  // What has a vector and is no longer searched takes no place.
  const ranks = [words.map(({ id }) => id), near.filter((id) => hits.has(id))];
  const fused = [...fuseRanks(ranks)].flatMap(([id, score]) => {
    const hit = hits.get(id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
  return spreadHits(fused).slice(0, limit);
}
