import { findingSchema } from '@sluice/core/change';
import { authorizeIssue, type Issue } from '@sluice/core/issue';
import { plannedFiles, reviewSchema, testReportSchema } from '@sluice/core/pipeline';
import { guardedFiles } from '@sluice/core/publication';
import { workspaceDiffSchema } from '@sluice/core/workspace';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const changedFileWire = workspaceDiffSchema.shape.files.element.extend({
  in_plan: z.boolean().describe('Whether the plan names the file; true for every file while there is no plan.'),
  reason: z.string().nullable().describe('Why the agent changed a file outside the plan, once it has explained that.'),
  guarded: z
    .string()
    .nullable()
    .describe('Why a person must let the file be published: it runs with secrets. Null for any other file.'),
});
const evidenceWire = z.object({
  tests: testReportSchema.nullable().describe('The test result; null before the tests ended, and without a command.'),
  findings: z.array(findingSchema).describe('What the service found by comparing the change with the base.'),
  review: reviewSchema.nullable().describe('What the reviewer found; null before the review ended.'),
});
/** The diff of the workspace; `base_commit` is null before the workspace is prepared. */
export const diffWire = workspaceDiffSchema.extend({
  base_commit: z.string().nullable(),
  files: z.array(changedFileWire),
  evidence: evidenceWire
    .nullable()
    .describe('What was found out about exactly this change; null while the agent is working on it.'),
});

export const getDiff = scopedProcedure('read')
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
    const issue = await authorizeIssue(ctx, input.id, 'read');
    const diff = await ctx.runs.diff(issue.id);
    if (diff === null)
      return {
        base_commit: issue.pipeline.prepared?.base_commit ?? null,
        head_commit: null,
        files: [],
        diff: '',
        evidence: null,
      };
    return { ...diff, files: withPlan(issue, diff.files), evidence: evidenceFor(issue, diff.head_commit) };
  });

type ChangedFile = z.infer<typeof workspaceDiffSchema>['files'][number];

function withPlan({ plan, pipeline }: Issue, files: readonly ChangedFile[]): z.infer<typeof changedFileWire>[] {
  const planned = plan === null ? null : new Set(plannedFiles(plan));
  const reasons = new Map(pipeline.implementation?.outside_plan.map(({ path, reason }) => [path, reason]));
  const guarded = new Map(guardedFiles(files.map(({ path }) => path)).map(({ path, reason }) => [path, reason]));
  return files.map((file) => {
    const inPlan = planned?.has(file.path) ?? true;
    return {
      ...file,
      in_plan: inPlan,
      reason: inPlan ? null : (reasons.get(file.path) ?? null),
      guarded: guarded.get(file.path) ?? null,
    };
  });
}

function evidenceFor(
  { pipeline: { implementation } }: Issue,
  head: string | null,
): z.infer<typeof evidenceWire> | null {
  if (implementation === null || implementation.head_commit !== head) return null;
  const { tests, findings, review } = implementation;
  return { tests, findings: [...findings], review };
}
