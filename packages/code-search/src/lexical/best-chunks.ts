import { MAX_HITS } from './index-protocol.ts';
import { rankFiles } from './rank-files.ts';

/**
 * The candidates of a search: enough to see what else the best files have. They are numbers until the best are known.
 */
export const CANDIDATES = 600;
const NAMED_WEIGHT = 2; // a file that the query names is meant

/** The matching chunks to show, best first. @param named the files that the question names */
export function bestChunks<T extends { readonly file: number; readonly score: number }>(
  candidates: readonly T[],
  question: { readonly named: ReadonlySet<number>; readonly limit: number },
): T[] {
  const weighed = candidates
    .map((one) => (question.named.has(one.file) ? { ...one, score: one.score * NAMED_WEIGHT } : one))
    .sort((a, b) => b.score - a.score);
  return rankFiles(weighed).slice(0, Math.min(Math.max(Math.trunc(question.limit), 1), MAX_HITS));
}
