import type { RepoId } from '@sluice/core/id';
import {
  authorizeIssue,
  domainName,
  fieldsOf,
  filteredFields,
  type IssueQuery,
  type IssueStore,
  issueBounds,
  issueFilterWire,
  issueStatuses,
  issueWire,
  toIssueWire,
} from '@sluice/core/issue';
import * as z from 'zod';
import { instant } from '../input/instant.ts';
import { pageQuery, toPageRequest, toPageWire } from '../input/page-query.ts';
import { idField, resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { countedPage, searchParameters } from './issue-page.wire.ts';
import { issueAnswer } from './issue-response.ts';
import { issueSummaryWire, toIssueSummaryWire } from './issue-summary.wire.ts';

const listedIssue = z.discriminatedUnion('form', [issueWire, issueSummaryWire]).meta({
  // In the document it stays what it was before the items had a form: any of the two.
  override: ({ jsonSchema }) => {
    const { oneOf: anyOf = [] } = jsonSchema;
    for (const name of ['oneOf', 'type', 'discriminator']) delete jsonSchema[name];
    Object.assign(jsonSchema, { anyOf });
  },
});

export const listIssues = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues',
      tags: ['issues'],
      summary: 'List issues, newest first',
      description: `Lists the issues of your repositories, and of those of which you are a member. To hear of changes, follow \`GET /api/events\` instead of asking again. With ${searchParameters} a request searches a limited number of issues: its page may be short, or empty, and \`next_cursor\` goes on.`,
    },
  })
  .input(
    z
      .strictObject({
        scope: z
          .enum(['all', 'mine'])
          .optional()
          .describe('`mine`: only those that you created. `all` is the default.'),
        status: z.array(z.enum(issueStatuses)).max(issueStatuses.length).optional().describe('May be repeated.'),
        repo_id: idField.optional().describe('Restricts the answer to one repository.'),
        label: text({ min: 1, max: issueBounds.labelCharacters, line: true })
          .optional()
          .describe('One of its labels, in full.'),
        ...issueFilterWire,
        created_after: instant.optional().describe('Created at this time or later.'),
        created_before: instant.optional().describe('Created before this time.'),
        q: text({ max: 200, line: true }).optional().describe('Part of the title or the body.'),
        sort: z
          .enum(['-created', 'created'])
          .optional()
          .describe(
            'The newest first (the default), or the oldest. There is no order by the last change: follow `GET /api/events`.',
          ),
        fields: z
          .enum(['all', 'summary'])
          .optional()
          .describe('`summary`: each item is an `IssueSummary`, without the body, the plan and other texts.'),
        total: z.literal('true').optional().describe('The page has `total`; null in a search.'),
        ...pageQuery,
      })
      .optional(),
  )
  .output(countedPage(listedIssue))
  .query(async ({ ctx, input }) => {
    const query: IssueQuery = {
      readableBy: ctx.caller,
      ...(input?.scope === 'mine' ? { requestedBy: ctx.caller.userId } : {}),
      ...toPageRequest(input ?? {}),
      ...(input?.status === undefined ? {} : { statuses: input.status }),
      ...(input?.repo_id === undefined ? {} : { repoId: input.repo_id as RepoId }),
      ...(input?.q ? { q: input.q } : {}),
      ...(input?.label === undefined ? {} : { label: input.label }),
      ...fieldsOf(filteredFields, input ?? {}),
      ...(input?.created_after === undefined ? {} : { createdFrom: new Date(input.created_after) }),
      ...(input?.created_before === undefined ? {} : { createdBefore: new Date(input.created_before) }),
      oldestFirst: input?.sort === 'created',
    };
    const page = await ctx.issues.list(query);
    const items = input?.fields === 'summary' ? toPageWire(page, toIssueSummaryWire) : toPageWire(page, toIssueWire);
    return input?.total === undefined ? items : { ...items, total: await totalOf(ctx.issues, query) };
  });

/** Null for a search: what no index knows is only counted by reading everything. */
async function totalOf(issues: Pick<IssueStore, 'count'>, query: IssueQuery): Promise<number | null> {
  const { q, label, createdFrom, createdBefore } = query;
  const filters = filteredFields.map((name) => query[domainName(name)]);
  const isSearch = [q, label, ...filters, createdFrom, createdBefore].some((one) => one !== undefined);
  return isSearch ? null : await issues.count(query);
}

export const getIssue = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}',
      tags: ['issues'],
      summary: 'Read an issue',
      description:
        'With its current plan and, while it waits for a decision, its `gate`. Cheap to repeat with `If-None-Match`.',
    },
    etag: true,
  })
  .input(z.strictObject({ id: resourceId }))
  .output(issueWire)
  .query(async ({ ctx, input }) => issueAnswer(ctx, await authorizeIssue(ctx, input.id, 'read')));
