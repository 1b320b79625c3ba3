import { authorizeIssue } from '@sluice/core/issue';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { outcomeWire, toOutcomeWire } from './outcome.wire.ts';

export const issueOutcomeWire = z.object({
  outcome: outcomeWire.nullable().describe('Null where the issue has no pull request.'),
});

export const getOutcome = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/outcome',
      tags: ['outcomes'],
      summary: 'Read what became of the pull request of an issue',
      description: 'Shows the outcome of the pull request that the issue opened, or that it follows up.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(issueOutcomeWire)
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    const record = await ctx.outcomes.ofIssue(issue.id);
    return { outcome: record === null ? null : toOutcomeWire(record) };
  });
