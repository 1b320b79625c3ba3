import { authorizeIssue, issueWire, retryIssue as queueAgain, runIssue as queueIssue } from '@sluice/core/issue';
import { budgetSchema } from '@sluice/core/pipeline';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { issueAnswer } from './issue-response.ts';
import { queueField } from './queue-field.wire.ts';

const { tokens, cost_usd, active_ms } = budgetSchema.shape;
const budgetField = z
  .strictObject({
    tokens: tokens.exactOptional().describe('Input and output together.'),
    cost_usd: cost_usd.exactOptional(),
    active_ms: active_ms.exactOptional().describe('Time spent working on the issue.'),
  })
  .refine((budget) => Object.keys(budget).length > 0, 'must name at least one limit')
  .meta({
    minProperties: 1,
    description:
      'The limits of the issue from now on, over all its stages and retries; null = none. Absent members stay as they are.',
  });

export const retryIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/retry',
      tags: ['issues'],
      summary: 'Retry a failed issue',
      description:
        'Queues the issue again at the stage that failed, with the results of earlier stages. If `setup_command`, `test_command` or `settings.setup_network` of the repository have changed since the issue was prepared, or its test command could not run, it is prepared again before, on the same base: an approved plan stays approved. 409 in any other status, and `budget_too_low` (with what was `used`) when the issue has used up its budget: send a higher one. 403 `budget_fixed` for a budget above the limit of this server.',
    },
    limit: 'run_issue',
    bodyOptional: true,
    refusals: [
      'issue_not_failed',
      'budget_too_low',
      'budget_fixed',
      'repo_busy',
      'account_disabled',
      'registrant_disabled',
    ],
    example: { body: { budget: { tokens: 4_000_000 } } },
  })
  .input(z.strictObject({ id: resourceId, budget: budgetField.optional() }))
  .output(issueWire)
  .mutation(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'manage');
    return await issueAnswer(ctx, await queueAgain(ctx, issue, { budget: input.budget ?? null, by: ctx.by }));
  });

export const runIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/run',
      tags: ['issues'],
      summary: 'Start a pending issue',
      description:
        'Changes nothing when it is queued already. 409 in any other status, and while another issue is in progress on the same repository; with `queue` it waits for that one instead.',
    },
    limit: 'run_issue',
    bodyOptional: true,
    refusals: ['issue_not_pending', 'repo_busy', 'account_disabled', 'registrant_disabled'],
    example: { body: { queue: true } },
  })
  .input(z.strictObject({ id: resourceId, queue: queueField }))
  .output(issueWire)
  .mutation(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'manage');
    return await issueAnswer(ctx, await queueIssue(ctx, issue, { by: ctx.by, waits: input.queue }));
  });
