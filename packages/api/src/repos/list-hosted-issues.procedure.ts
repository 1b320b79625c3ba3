import type { HostedIssue } from '@sluice/core/code-host';
import type { IssueId } from '@sluice/core/id';
import { authorizeRepo, currentRepo, hostedName, requireHosted } from '@sluice/core/repo';
import * as z from 'zod';
import { askCodeHost, registeredRepoRefusals, withCodeHostDeadline } from '../code-host/ask-code-host.ts';
import { pageNumber, toHostedPage } from '../input/page-number.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const codehostIssueWire = z.object({
  number: z.int(),
  title: z.string(),
  labels: z.array(z.string()),
  author: z.string(),
  author_can_write: z.boolean().describe('Whether the author has write access to the repository.'),
  url: z.string(),
  updated_at: z.iso.datetime(),
  imported_issue_id: z.uuid().nullable(),
});

export const listHostedIssues = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/issues',
      tags: ['repos'],
      summary: 'List the open issues of a repository at the code host',
      description:
        'Newest first, without pull requests. 409 for a repository that was registered by its URL (`repo_not_hosted`), and where the code host cannot be used in your name.',
    },
    limit: 'list_codehost_issues',
    refusals: ['repo_not_hosted', ...registeredRepoRefusals],
  })
  .input(
    z.strictObject({
      id: resourceId,
      ...pageNumber,
      q: text({ max: 200, line: true })
        .optional()
        .describe(
          'Words of the title, in their order; case does not matter. The code host searches: it finds whole words and at most 1,000 issues, and allows few searches a minute (`codehost_busy`).',
        ),
    }),
  )
  .output(z.object({ items: z.array(codehostIssueWire), next_page: z.int().nullable() }))
  .query(async ({ ctx, input }) => {
    const registered = await authorizeRepo(ctx, input.id, 'contribute');
    const repo = await withCodeHostDeadline(ctx.signal, (signal) => currentRepo(ctx, registered, signal));
    requireHosted(repo);
    const asker = { userId: repo.userId, signal: ctx.signal };
    const query = { ...toHostedPage(input), q: input.q?.trim() || null };
    const page = await askCodeHost(ctx, asker, (host, call) => host.issues(call, hostedName(host, repo), query));
    const numbers = page.items.map(({ number }) => number);
    const imported = await ctx.codehostIndex.imported(repo.id, numbers);
    return {
      items: page.items.map((issue) => toCodehostIssueWire(issue, imported.get(issue.number))),
      next_page: page.nextPage,
    };
  });

function toCodehostIssueWire(issue: HostedIssue, imported: IssueId | undefined): z.infer<typeof codehostIssueWire> {
  return {
    number: issue.number,
    title: issue.title,
    labels: [...issue.labels],
    author: issue.author,
    author_can_write: issue.byWriter,
    url: issue.url,
    updated_at: issue.updatedAt.toISOString(),
    imported_issue_id: imported ?? null,
  };
}
