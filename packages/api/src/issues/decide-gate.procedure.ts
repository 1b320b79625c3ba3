import {
  authorizeIssue,
  type Decision,
  decideGate as decide,
  decisionActions,
  issueWire,
  toIssueWire,
} from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { patientBases } from './patient-bases.ts';

const input = z
  .strictObject({
    id: resourceId,
    action: z.enum(decisionActions),
    guidance: text({ min: 1, max: 8_000 }).optional().describe('What to plan differently. Only with `instruct`.'),
    revision: z
      .int()
      .min(1)
      .optional()
      .describe('The revision of the plan that you saw; 409 when there is a newer one.'),
    head_commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, 'is no commit id')
      .optional()
      .describe(
        'At the publish gate: `gate.head_commit` as you saw it. Required there for `approve`; 409 without it and for another commit.',
      ),
  })
  .superRefine(({ action, guidance }, context) => {
    if ((action === 'instruct') === (guidance !== undefined)) return;
    const message = action === 'instruct' ? 'is required for `instruct`' : `must not be sent with \`${action}\``;
    context.addIssue({ code: 'custom', path: ['guidance'], message });
  });

export const decideGate = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/approve',
      tags: ['issues'],
      summary: 'Decide the plan: approve, reject or instruct',
      description:
        '409 unless the issue is `awaiting_approval`. Of several decisions at once one takes effect. An `approve` is for the base that the plan was made on (`gate.base_commit`): when the branch has moved since in a file that the plan names, it is a 409 `plan_stale` with those `files`, and `instruct` has it planned anew on the new base. At the publish gate (`gate.kind` is `publish`) an `approve` must name the commit that it lets be published: without `head_commit`, or with another one, it is a 409 `issue_not_awaiting_publication` with the `head_commit` that waits. `instruct` leads back to the coder there. 502 when the repository cannot be reached to see whether the branch has moved.',
    },
    refusals: [409, 502],
    example: { body: { action: 'instruct', guidance: 'Leave the public API as it is.', revision: 1 } },
  })
  .input(input)
  .output(issueWire)
  .mutation(async ({ ctx, input: { id, action, guidance, revision, head_commit: headCommit } }) => {
    const issue = await authorizeIssue(ctx, ctx.actor.user.id, id);
    const seen = { revision, headCommit };
    const decision: Decision =
      action === 'instruct' ? { action, guidance: guidance ?? '', ...seen } : { action, ...seen };
    const context = { ...ctx, bases: patientBases(ctx.bases) };
    const request = { decision, by: ctx.by, signal: ctx.signal };
    return toIssueWire(await decide(context, issue, request));
  });
