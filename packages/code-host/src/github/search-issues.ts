import type { HostedPage } from '@sluice/core/code-host';
import { z } from 'zod';
import type { RepoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { type Issue, isIssue, issueSchema } from './issue-schema.ts';

const RESULTS = 1_000; // the host refuses pages beyond that

/** Open issues with a phrase in the title, newest first. The host finds whole words, and at most a thousand issues. */
export async function searchIssues(
  host: HostSession,
  { owner, repo }: RepoName,
  { page, perPage, q }: { page: number; perPage: number; q: string },
): Promise<HostedPage<Issue>> {
  const last = Math.floor(RESULTS / perPage);
  const phrase = quotable(q);
  if (phrase === '' || page > last) return { items: [], nextPage: null };
  const { data, next } = await host.send({
    route: 'GET /search/issues',
    parameters: {
      q: `repo:${owner}/${repo} is:issue state:open in:title "${phrase}"`,
      sort: 'created',
      order: 'desc',
      per_page: perPage,
      page,
    },
    schema: z.object({ items: z.array(issueSchema) }),
  });
  return { items: data.items.filter(isIssue), nextPage: next !== null && page < last ? page + 1 : null };
}

/**
 * A text that can stand between quotes, where nothing is a qualifier. The host ignores punctuation, and has no way to
 * write a quote within quotes.
 */
function quotable(text: string): string {
  return text.replaceAll(/["\\\s\p{Cc}]+/gu, ' ').trim();
}
