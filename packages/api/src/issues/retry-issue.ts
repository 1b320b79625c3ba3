import { authorizeIssue, issueWire, retryIssue as queueAgain, toIssueWire } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const retryIssue = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/retry',
      tags: ['issues'],
      summary: 'Try a failed issue again',
      description:
        'Back into the queue, at the stage that failed; what earlier stages found out stays. 409 in any other status.',
    },
    limit: 'run_issue',
    refusals: [409],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(issueWire)
  .mutation(async ({ ctx, input }) =>
    toIssueWire(await queueAgain(ctx, await authorizeIssue(ctx, ctx.actor.user.id, input.id))),
  );
