import { pathWeight } from './path-weight.ts';

/** The paths of one content, in one text: the same for the same paths, in whatever order they were listed. */
export function joinedPaths(paths: readonly string[]): string {
  return [...paths].sort().join('\n');
}

/** How much a match in a content counts: as much as at the best of its paths. */
export function bestWeight(paths: readonly string[]): number {
  return Math.max(0, ...paths.map(pathWeight));
}

/**
 * The path that the question mentions, among several with the same content; else hand-written before generated code.
 */
export function bestPath(paths: readonly string[], terms: readonly string[]): string {
  const rank = (path: string) => {
    const named = path.toLowerCase();
    return terms.filter((term) => named.includes(term)).length + pathWeight(path);
  };
  return paths.reduce((best, path) => (rank(path) > rank(best) ? path : best), paths[0] ?? '');
}
