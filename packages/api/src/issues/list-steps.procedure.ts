import { type AttemptRecord, attemptStates, authorizeIssue } from '@sluice/core/issue';
import { planSchema, stages, usageSchema } from '@sluice/core/pipeline';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const stepWire = z.object({
  stage: z.enum(stages),
  round: z.int().min(1).describe('How often the pipeline has reached this stage.'),
  attempt: z.int().min(1).describe('The number of the attempt within this round.'),
  agent: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  duration_ms: z.int().nullable().describe('Null while it runs.'),
  outcome: z
    .enum(attemptStates)
    .describe('`interrupted`: cut off by a restart or a cancel, which is not a failure of the stage.'),
  usage: usageSchema.nullable().describe('Null unless the stage ended by itself.'),
  detail: z.string().nullable(),
});

export const listSteps = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/steps',
      tags: ['issues'],
      summary: 'List the attempts of each stage, oldest first',
      description: 'One for each time that a worker began a stage, with its outcome, duration and usage.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.object({ items: z.array(stepWire) }))
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    return { items: (await ctx.runs.attempts(issue.id)).map(toStepWire) };
  });

function toStepWire({ startedAt, finishedAt, ...step }: AttemptRecord): z.infer<typeof stepWire> {
  const { stage, round, attempt, agent, outcome, usage, detail } = step;
  return {
    stage,
    round,
    attempt,
    agent,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    // A clock that was set back must not make it negative.
    duration_ms: finishedAt === null ? null : Math.max(0, finishedAt.getTime() - startedAt.getTime()),
    outcome,
    usage,
    detail,
  };
}

export const listPlans = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/plans',
      tags: ['issues'],
      summary: 'List the revisions of the plan, newest first',
      description: 'Each `instruct` leads to another revision. Decisions name the one that they are for.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.object({ items: z.array(planSchema) }))
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    return { items: (await ctx.issues.plans(issue.id)).toReversed() };
  });
