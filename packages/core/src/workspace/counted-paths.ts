import { shortened, visiblePath } from '../text/visible-text.ts';

/** The first of some paths, in git's order, and how many there are. */
export interface CountedPaths {
  readonly first: readonly string[];
  readonly count: number;
}

export const NO_PATHS: CountedPaths = { first: [], count: 0 };

const MAX_NAME = 120; // on one line with others

/** The paths as words of a sentence. */
export function renderPaths({ first, count }: CountedPaths): string {
  const more = count > first.length ? ` and ${count - first.length} more` : '';
  return first.map((path) => `\`${shortened(visiblePath(path), MAX_NAME)}\``).join(', ') + more;
}
