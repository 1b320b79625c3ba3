import { authorizeIssue, planSchema } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const listPlans = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/plans',
      tags: ['issues'],
      summary: 'Every revision of the plan, newest first',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.object({ items: z.array(planSchema) }))
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, ctx.actor.user.id, input.id);
    return { items: (await ctx.issues.plans(issue.id)).toReversed() };
  });
