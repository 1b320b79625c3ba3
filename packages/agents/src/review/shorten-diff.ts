import { shortenEnd } from '../tools/shorten.ts';
import { diffSections } from './diff-lines.ts';

const MIN_SHARE = 400; // characters: a file's header and a few lines, the least that is useful

export interface ShortenedDiff {
  readonly diff: string;
  /** The number of files whose diff is shortened or left out. */
  readonly shortened: number;
}

/**
 * Shortens a diff to about `limit` characters. Small files stay complete and large ones share the rest evenly, each cut
 * with a note about the missing part; a file for which too little is left becomes one line.
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

/** The largest size that lets all sections fit together: small sections leave their rest to large ones. */
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
