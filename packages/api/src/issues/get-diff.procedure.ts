import { authorizeIssue, type Issue, plannedFiles, workspaceDiffSchema } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const changedFileWire = workspaceDiffSchema.shape.files.element.extend({
  in_plan: z.boolean().describe('Whether the plan names the file; true for every file while there is no plan.'),
  reason: z.string().nullable().describe('Why the agent changed a file outside the plan, once it has explained that.'),
});
/** The diff of the workspace; `base_commit` is null before the workspace is prepared. */
export const diffWire = workspaceDiffSchema.extend({
  base_commit: z.string().nullable(),
  files: z.array(changedFileWire),
});

export const getDiff = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/diff',
      tags: ['issues'],
      summary: 'Read the change so far',
      description: 'Available while the agent is still working. Empty before the first change.',
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
    if (diff === null)
      return { base_commit: issue.pipeline.prepared?.base_commit ?? null, head_commit: null, files: [], diff: '' };
    return { ...diff, files: withPlan(issue, diff.files) };
  });

type ChangedFile = z.infer<typeof workspaceDiffSchema>['files'][number];

function withPlan({ plan, pipeline }: Issue, files: readonly ChangedFile[]): z.infer<typeof changedFileWire>[] {
  const planned = plan === null ? null : new Set(plannedFiles(plan));
  const reasons = new Map(pipeline.implementation?.outside_plan.map(({ path, reason }) => [path, reason]));
  return files.map((file) => {
    const inPlan = planned?.has(file.path) ?? true;
    return { ...file, in_plan: inPlan, reason: inPlan ? null : (reasons.get(file.path) ?? null) };
  });
}
