import { authorizeRepo, deleteRepo as removeRepo } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const deleteRepo = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/repos/{id}',
      tags: ['repos'],
      summary: 'Remove a repository with its ended issues',
      description: '409 while an issue is active on it.',
    },
    status: 204,
    refusals: [409],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => removeRepo(ctx, await authorizeRepo(ctx, ctx.actor.user.id, input.id)));
