import { remoteErrorCodes } from '@sluice/core/error';
import { authorizeIssue, type Decision, decideGate as decide, issueWire } from '@sluice/core/issue';
import { decisionActions } from '@sluice/core/pipeline';
import * as z from 'zod';
import { attachmentIdsField } from '../attachments/attachment-ids.wire.ts';
import { registeredRepoRefusals } from '../code-host/ask-code-host.ts';
import type { Actor } from '../identity/session/actor.ts';
import { clientName } from '../identity/session/client-name.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { basesWithDeadline } from './bases-with-deadline.ts';
import { issueAnswer } from './issue-response.ts';

const input = z
  .strictObject({
    id: resourceId,
    action: z.enum(decisionActions),
    guidance: text({ min: 1, max: 8_000 })
      .optional()
      .describe('What the next plan should do differently. Only with `instruct`.'),
    attachments: attachmentIdsField,
    revision: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The revision of the plan that you decide on; 409 when there is a newer one. Send it: a decision without it holds for whatever plan waits, and is recorded as `blind`.',
      ),
    head_commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, 'must be a commit id')
      .optional()
      .describe(
        'At the publish gate: the `gate.head_commit` that you decide on. Required there for `approve`; 409 when it is missing or another commit waits.',
      ),
  })
  .superRefine(({ action, guidance, attachments }, context) => {
    if (action !== 'instruct' && attachments !== undefined) {
      const message = `must not be sent with \`${action}\``;
      context.addIssue({ code: 'custom', path: ['attachments'], message });
    }
    if ((action === 'instruct') === (guidance !== undefined)) return;
    const message = action === 'instruct' ? 'is required for `instruct`' : `must not be sent with \`${action}\``;
    context.addIssue({ code: 'custom', path: ['guidance'], message });
  });

export const decideGate = scopedProcedure('approve')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/approve',
      tags: ['issues'],
      summary: 'Decide at a gate: approve, reject or instruct',
      description:
        '409 unless the issue is `awaiting_approval`. Of several concurrent decisions one takes effect. An `approve` holds for the base commit of the plan (`gate.base_commit`): if the branch has since changed a file that the plan names, the answer is 409 `plan_stale` with those `files`, and `instruct` makes a new plan on the new base. Where two approvals are needed, the first is added to `gate.approvals`, and the issue stays `awaiting_approval`. An `approve` by an admin of a plan with a `setup_command` or a `test_command` sets it for the repository, unless it has its own already. At the publish gate (`gate.kind` is `publish`) an `approve` must name the commit to publish: if `head_commit` is missing or different, the answer is 409 `issue_not_awaiting_publication` with the `head_commit` that waits. There, `instruct` returns the issue to the coder. 502 when the repository cannot be reached to check whether the branch has moved.',
    },
    refusals: [
      'issue_not_awaiting_approval',
      'requester_may_not_approve',
      'already_approved',
      'approval_lapsed',
      'plan_revision_stale',
      'plan_stale',
      'issue_not_awaiting_publication',
      'base_branch_gone',
      'repo_token_unreadable',
      ...registeredRepoRefusals,
      'remote_refused',
      'account_disabled',
      'attachment_unusable',
      'issue_attachments_full',
      ...remoteErrorCodes,
      'disk_full',
    ],
    example: { body: { action: 'instruct', guidance: 'Leave the public API as it is.', revision: 1 } },
  })
  .input(input)
  .output(issueWire)
  .mutation(async ({ ctx, input: { id, action, guidance, attachments, revision, head_commit: headCommit } }) => {
    const issue = await authorizeIssue(ctx, id, 'decide');
    const seen = { revision, headCommit };
    const decision: Decision =
      action === 'instruct' ? { action, guidance: guidance ?? '', attachments, ...seen } : { action, ...seen };
    const context = { ...ctx, bases: basesWithDeadline(ctx.bases) };
    const request = { decision, by: ctx.by, client: clientOf(ctx), signal: ctx.signal };
    return await issueAnswer(ctx, await decide(context, issue, request));
  });

/** The client that made the decision: that of the session, or the program that sent the API token. */
function clientOf({
  actor,
  head,
}: {
  readonly actor: Actor;
  readonly head: { readonly userAgent: string | undefined };
}) {
  return actor.session === null ? clientName(head.userAgent) : actor.session.client;
}
