import type { HostedIssue, HostedPage } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { filledPage, PER_PAGE } from '../client/filled-page.ts';
import { type HostAddress, type RepoName, repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostAuthor, hostDate, hostNumber, hostText, loginOf } from './wire-values.ts';
import { type IsWriter, writersOf } from './writers.ts';

/** Open issues without pull requests: all, or those with a phrase in the title. */
export async function readIssues(
  host: HostSession,
  fullName: string,
  { q, ...query }: { page: number; perPage: number; q: string | null },
): Promise<HostedPage<HostedIssue>> {
  const repo = repoName(fullName);
  const { items, nextPage } =
    q === null ? await listIssues(host, repo, query) : await searchIssues(host, repo, { ...query, q });
  const hosted = hostedIssues({ address: host.address, repo, isWriter: writersOf(host, repo) });
  return { items: await Promise.all(items.map(hosted)), nextPage };
}

/** The host includes pull requests in its list. */
async function listIssues(host: HostSession, repo: RepoName, query: { page: number; perPage: number }) {
  return await filledPage(
    query,
    (issue: Issue) => issue.number,
    async (page) => {
      const { data, next } = await host.send({
        route: 'GET /repos/{owner}/{repo}/issues',
        parameters: { ...repo, state: 'open', sort: 'created', direction: 'desc', per_page: PER_PAGE, page },
        schema: z.array(issueSchema),
      });
      return { items: data.filter(isIssue), more: next !== null };
    },
  );
}

export async function readIssue(host: HostSession, fullName: string, number: number): Promise<HostedIssue> {
  const repo = repoName(fullName);
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
    parameters: { ...repo, issue_number: subjectNumber(number) },
    schema: issueSchema,
  });
  // For an issue that was transferred, the host returns the one in the new repository.
  if (!isIssue(data) || data.number !== number) throw new AppError('codehost_not_found');
  return hostedIssues({ address: host.address, repo, isWriter: writersOf(host, repo) })(data);
}

function hostedIssues({ address, repo, isWriter }: { address: HostAddress; repo: RepoName; isWriter: IsWriter }) {
  return async (issue: Issue): Promise<HostedIssue> => ({
    number: issue.number,
    title: issue.title,
    body: issue.body,
    labels: issue.labels.filter((name) => name !== ''),
    url: `${address.web}/${repo.owner}/${repo.repo}/issues/${issue.number}`,
    author: loginOf(issue.user),
    byWriter: await isWriter(issue.user, issue.author_association),
    open: issue.state === 'open',
    updatedAt: issue.updated_at,
  });
}

const RESULTS = 1_000; // the host refuses pages beyond that

/** Open issues with a phrase in the title, newest first. The host finds whole words, and at most a thousand issues. */
async function searchIssues(
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

const label = z.union([z.string(), z.object({ name: hostText }).transform(({ name }) => name)]);

const issueSchema = z.object({
  number: hostNumber,
  title: z.string(),
  body: hostText,
  labels: z.array(label),
  user: hostAuthor,
  author_association: z.string().optional(),
  state: z.string(),
  updated_at: hostDate,
  /** Present only for pull requests. */
  pull_request: z.unknown().optional(),
});

type Issue = z.output<typeof issueSchema>;

const isIssue = (issue: Issue) => issue.pull_request === undefined || issue.pull_request === null;
