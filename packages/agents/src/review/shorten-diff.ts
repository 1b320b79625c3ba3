import { shortenEnd } from '../tools/shorten.ts';
import { diffSections } from './diff-lines.ts';

const MIN_SHARE = 400; // characters: less of a file's diff than its header and a few lines tells nothing

export interface ShortenedDiff {
  readonly diff: string;
  /** Files whose diff is shortened or left out; 0: it is whole. */
  readonly shortened: number;
}

/**
 * A diff of at most about `limit` characters. Small files stay whole and large ones share what is left evenly, each cut
 * after a line that says how much of it is missing; a file for which too little is left is one line.
 */
export function shortenDiff(diff: string, limit: number): ShortenedDiff {
  if (diff.length <= limit) return { diff, shortened: 0 };
  const sections = diffSections(diff);
  const share = fairShare(
    sections.map(({ length }) => length),
    limit,
  );
  const parts = sections.map((section) => (section.length <= share ? section : cut(section, share)));
  return { diff: parts.join(''), shortened: sections.filter(({ length }) => length > share).length };
}

/** The largest size that each may have so that all together fit: what the small ones leave goes to the large ones. */
function fairShare(sizes: readonly number[], limit: number): number {
  let left = limit;
  const sorted = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return limit;
}

function cut(section: string, share: number): string {
  const lines = section.replace(/\n$/, '').split('\n');
  const kept: string[] = [];
  let size = 0;
  for (const line of share < MIN_SHARE ? lines.slice(0, 1) : lines) {
    size += line.length + 1;
    if (size > share && kept.length > 0) break;
    kept.push(shortenEnd(line, Math.max(share, MIN_SHARE)));
  }
  const left = lines.length - kept.length;
  return `${kept.join('\n')}\n… ${left} lines of this file's diff are left out …\n`;
}
