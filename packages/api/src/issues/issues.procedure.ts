import { authorizeIssue, issueStatuses, issueWire, type RepoId, toIssueWire } from '@sluice/core';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { idField, resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { issueAnswer } from './issue-response.ts';

export const listIssues = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues',
      tags: ['issues'],
      summary: 'List your issues, newest first',
      description:
        'Only your own, whatever the repository. To hear of changes, follow `GET /api/events` instead of asking again.',
    },
  })
  .input(
    z
      .strictObject({
        status: z.array(z.enum(issueStatuses)).max(issueStatuses.length).optional().describe('May be repeated.'),
        repo_id: idField.optional(),
        q: text({ max: 200, line: true })
          .optional()
          .describe(
            'Part of the title or the body. A request searches a limited number of issues: its page may be short, or empty, and `next_cursor` goes on.',
          ),
        ...pageQuery,
      })
      .optional(),
  )
  .output(pageWire(issueWire))
  .query(async ({ ctx, input }) => {
    const page = await ctx.issues.list({
      userId: ctx.actor.user.id,
      ...toPageRequest(input ?? {}),
      ...(input?.status === undefined ? {} : { statuses: input.status }),
      ...(input?.repo_id === undefined ? {} : { repoId: input.repo_id as RepoId }),
      ...(input?.q ? { q: input.q } : {}),
    });
    return toPageWire(page, toIssueWire);
  });

export const getIssue = userProcedure
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
  .query(async ({ ctx, input }) => issueAnswer(ctx, await authorizeIssue(ctx, ctx.actor.user.id, input.id)));
