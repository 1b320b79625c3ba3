import { createdFields, fieldsOf, createIssue as fileIssue, issueWire } from '@sluice/core/issue';
import { authorizeRepo, requireBaseBranch } from '@sluice/core/repo';
import * as z from 'zod';
import { attachmentIdsField } from '../attachments/attachment-ids.wire.ts';
import { registeredRepoRefusals, withCodeHostDeadline } from '../code-host/ask-code-host.ts';
import { answeredOnce } from '../idempotency/answered-once.ts';
import { idField } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { inspectorWithDeadline } from '../repos/repo-fields.wire.ts';
import { createdIssueShape } from './issue-request.wire.ts';
import { issueResponse } from './issue-response.ts';
import { queueField } from './queue-field.wire.ts';

export const createIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues',
      tags: ['issues'],
      summary: 'Create an issue and start its pipeline',
      description:
        'The issue starts at once when the host has a free slot, otherwise it stays `pending` until one frees. While another issue is in progress on the same repository, the answer is 409; with `queue` the issue is created and waits instead, `pending` with `waits_for_repo`, and those that wait start first in, first out. 400 when the remote has no branch `base_branch`. Hidden text (HTML comments, zero-width and bidirectional control characters) is shown at the gate.',
    },
    limit: 'create_issue',
    status: 201,
    idempotent: true,
    headers: { Location: 'The path of the issue.' },
    refusals: [
      'not_owner',
      'role_insufficient',
      'repo_busy',
      'base_branch_missing',
      'remote_refused',
      'repo_token_unreadable',
      'account_disabled',
      'registrant_disabled',
      'attachment_unusable',
      ...registeredRepoRefusals,
    ],
    example: {
      body: {
        repo_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
        title: 'The sum of an empty list is NaN',
        body: 'in `src/sum.ts` replace `list.reduce(add)` with `list.reduce(add, 0)`',
      },
    },
  })
  .input(
    z.strictObject({
      repo_id: idField,
      ...createdIssueShape,
      queue: queueField,
      attachments: attachmentIdsField,
    }),
  )
  .output(issueWire)
  .mutation(async ({ ctx, input }) =>
    answeredOnce(ctx, { route: 'POST /api/issues', input, toResponse: issueResponse(ctx) }, async (response) => {
      const repo = await authorizeRepo(ctx, input.repo_id, 'contribute');
      const draft = fieldsOf(createdFields, input);
      const inspecting = { ...ctx, remotes: inspectorWithDeadline(ctx.remotes) };
      await withCodeHostDeadline(ctx.signal, (signal) =>
        requireBaseBranch(inspecting, repo, { name: draft.baseBranch, signal }),
      );
      return await fileIssue(ctx, repo, {
        draft,
        attachments: input.attachments,
        waits: input.queue,
        by: ctx.by,
        response,
      });
    }),
  );
