import { authorizeIssue, issueEventWire } from '@sluice/core/issue';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

const DEFAULT_LIMIT = 100;
const MAX_EVENTS = 1_000;

export const getHistory = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/history',
      tags: ['issues'],
      summary: 'List the events so far, oldest first',
      description:
        'The durable events of the stream, with the same numbers; live text is only in the stream. Once an issue ended longer ago than the retention period, only its milestones are left, and their numbers have gaps.',
    },
  })
  .input(
    z.strictObject({
      id: resourceId,
      after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
        .optional()
        .describe('The number of the last event that you have.'),
      limit: queryInteger({ min: 1, max: MAX_EVENTS })
        .optional()
        .describe(`Items of the page; ${DEFAULT_LIMIT} by default.`),
    }),
  )
  .output(
    z.object({
      items: z.array(issueEventWire),
      next_after: z.int().nullable().describe('Send it as `after` to read on; null when there is nothing more yet.'),
    }),
  )
  .query(async ({ ctx, input: { id, after = 0, limit = DEFAULT_LIMIT } }) => {
    const issue = await authorizeIssue(ctx, id, 'read');
    // One row beyond the page shows whether there is another page.
    const events = await ctx.issues.events(issue.id, { after, limit: limit + 1 });
    const items = events.slice(0, limit);
    return { items, next_after: events.length > limit ? (items.at(-1)?.seq ?? null) : null };
  });
