import { shortId } from '../id/id.ts';

const SLUG_LENGTH = 40; // a branch name is read in lists; git's own limit is the file system's 255 bytes

/** The branch of an issue: `sluice/<short id>-<slug>`. Made from the id, so a repeat finds the same branch. */
export function branchName(issue: { id: string; title: string }): string {
  const slug = issue.title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '') // é has become e and an accent: drop the accent, not the word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `sluice/${shortId(issue.id)}${slug === '' ? '' : `-${slug}`}`;
}
