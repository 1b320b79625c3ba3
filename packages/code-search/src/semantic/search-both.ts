import type { CodeHit, CodeQuestion } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { NearestPieces } from './nearest-pieces.ts';

const CANDIDATES_PER_HIT = 5; // several pieces of one file take the places of one
const MAX_CANDIDATES = 100; // what the index by words answers at most

interface Question extends CodeQuestion {
  readonly repoId: RepoId;
}

/** The pieces of code that the words and the vectors find, fused by reciprocal rank. */
export async function searchBoth(
  by: { readonly lexical: LexicalIndex; readonly nearest: NearestPieces },
  { repoId, query, limit: asked, ...checked }: Question,
  signal: AbortSignal,
): Promise<CodeHit[]> {
  const limit = Math.min(Math.max(Math.trunc(asked), 1), MAX_CANDIDATES);
  const wide = { query, limit: Math.min(limit * CANDIDATES_PER_HIT, MAX_CANDIDATES) };
  const [words, near] = await Promise.all([
    by.lexical.search(repoId, wide, signal),
    by.nearest.find(repoId, { ...wide, ...checked }, signal),
  ]);
  // The lexical search knows which path is meant when several have the same content.
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

const HITS_PER_FILE = 2; // one long file about everything must not push out the second-best file

/** Puts the third and further chunks of a file behind everything else. */
function spreadHits<Hit extends { readonly path: string }>(hits: readonly Hit[]): Hit[] {
  const seen = new Map<string, number>();
  const first: Hit[] = [];
  const rest: Hit[] = [];
  for (const hit of hits) {
    const count = (seen.get(hit.path) ?? 0) + 1;
    seen.set(hit.path, count);
    (count > HITS_PER_FILE ? rest : first).push(hit);
  }
  return [...first, ...rest];
}

const K = 60; // Cormack, Clarke, Büttcher 2009: keeps a single first place from deciding, and needs no tuning

/**
 * Reciprocal rank fusion: each list gives a name 1 / (60 + its rank from 1), and a name's points are added. So a name
 * that two lists hold stands before one that only one of them holds at such a rank; the lists' own scores do not matter.
 */
export function fuseRanks(lists: readonly (readonly string[])[]): Map<string, number> {
  const points = new Map<string, number>();
  for (const list of lists) {
    for (const [index, name] of list.entries()) points.set(name, (points.get(name) ?? 0) + 1 / (K + index + 1));
  }
  return new Map([...points].sort(([, one], [, other]) => other - one));
}
