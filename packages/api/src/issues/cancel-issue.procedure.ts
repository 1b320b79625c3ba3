import { authorizeIssue, cancelIssue as endIssue, deleteIssue as removeIssue } from '@sluice/core/issue';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const cancelIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/issues/{id}',
      tags: ['issues'],
      summary: 'Cancel an issue; it is kept (`…/permanent` deletes it)',
      description: 'The issue stays, as `cancelled`, and its running work is stopped. 409 when the issue has ended.',
    },
    status: 204,
    refusals: ['issue_terminal'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    await endIssue(ctx, await authorizeIssue(ctx, input.id, 'manage'), { by: ctx.by });
  });

export const deleteIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/issues/{id}/permanent',
      tags: ['issues'],
      summary: 'Delete an ended issue permanently',
      description: '409 unless the issue has ended: cancel it first.',
    },
    status: 204,
    refusals: ['issue_not_terminal'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => removeIssue(ctx, await authorizeIssue(ctx, input.id, 'delete'), { by: ctx.by }));
