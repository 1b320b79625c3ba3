import type { HostedIssue, HostedPage } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { filledPage, PER_PAGE } from '../client/filled-page.ts';
import { type HostAddress, type RepoName, repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { type Issue, isIssue, issueSchema } from './issue-schema.ts';
import { searchIssues } from './search-issues.ts';
import { loginOf } from './wire-values.ts';
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
