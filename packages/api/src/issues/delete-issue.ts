import { authorizeIssue, deleteIssue as removeIssue } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const deleteIssue = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/issues/{id}/permanent',
      tags: ['issues'],
      summary: 'Delete an ended issue for good',
      description: '409 unless it has ended: cancel it first.',
    },
    status: 204,
    refusals: [409],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => removeIssue(ctx, await authorizeIssue(ctx, ctx.actor.user.id, input.id)));
