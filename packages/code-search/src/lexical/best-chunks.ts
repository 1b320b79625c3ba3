import { MAX_HITS } from './index-protocol.ts';

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

interface Scored {
  readonly file: number;
  readonly score: number;
}

const HITS_PER_FILE = 2; // one long file about everything must not push out the second-best file

/** The weight of the next-best chunk of the same file, and so on: a file that matches in several places. */
const NEXT_SHARE = 0.3;

/**
 * Ranks chunks by how good their whole file is: a file's chunks are all raised by what its other chunks add. The third
 * and further chunks of a file stand behind everything else.
 *
 * @param chunks best first
 */
function rankFiles<T extends Scored>(chunks: readonly T[]): T[] {
  const files = new Map<number, T[]>();
  for (const chunk of chunks) {
    const file = files.get(chunk.file);
    if (file === undefined) files.set(chunk.file, [chunk]);
    else file.push(chunk);
  }
  const first: T[] = [];
  const rest: T[] = [];
  for (const file of files.values()) {
    const best = file[0]?.score ?? 0;
    const sum = file.reduce((total, { score }, at) => total + score * NEXT_SHARE ** at, 0);
    const raised = file.map((chunk) => ({ ...chunk, score: best > 0 ? (chunk.score * sum) / best : chunk.score }));
    first.push(...raised.slice(0, HITS_PER_FILE));
    rest.push(...raised.slice(HITS_PER_FILE));
  }
  const byScore = (a: T, b: T) => b.score - a.score;
  return [...first.sort(byScore), ...rest.sort(byScore)];
}
