import { shortId } from '@sluice/core/id';

const SLUG_LENGTH = 40; // readable in lists; git's limit is the file system's 255 bytes

/** The branch of an issue: `sluice/<short id>-<slug>`. The same issue always gets the same branch. */
export function branchName(issue: { id: string; title: string }): string {
  const slug = issue.title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '') // NFKD splits é into e and an accent: drop the accent
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `sluice/${shortId(issue.id)}${slug === '' ? '' : `-${slug}`}`;
}
