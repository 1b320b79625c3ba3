import { authorizeIssue, workspaceDiffSchema } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

/** As the workspace has it; `base_commit` is null while nothing was prepared yet. */
const diffWire = workspaceDiffSchema.extend({ base_commit: z.string().nullable() });

export const getDiff = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/diff',
      tags: ['issues'],
      summary: 'The change so far',
      description: 'Also while it is being made. Empty while there is none.',
    },
    text: {
      type: 'text/x-diff',
      description: 'The patch alone.',
      text: ({ diff }: z.infer<typeof diffWire>) => diff,
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(diffWire)
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, ctx.actor.user.id, input.id);
    const diff = await ctx.runs.diff(issue.id);
    return diff ?? { base_commit: issue.pipeline.base_commit, head_commit: null, files: [], diff: '' };
  });
