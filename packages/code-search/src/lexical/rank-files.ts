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
export function rankFiles<T extends Scored>(chunks: readonly T[]): T[] {
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
