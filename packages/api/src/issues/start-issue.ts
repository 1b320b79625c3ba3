import { authorizeIssue, issueWire, runIssue as queueIssue, toIssueWire } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const runIssue = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/run',
      tags: ['issues'],
      summary: 'Start a pending issue',
      description: 'Changes nothing when it is queued already. 409 in any other status.',
    },
    limit: 'run_issue',
    refusals: [409],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(issueWire)
  .mutation(async ({ ctx, input }) =>
    toIssueWire(await queueIssue(ctx, await authorizeIssue(ctx, ctx.actor.user.id, input.id))),
  );
