import { authorizeIssue, editIssue as changeText, issueWire, toIssueWire } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { issueText } from './issue-text.wire.ts';

export const editIssue = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/issues/{id}',
      tags: ['issues'],
      summary: 'Change the text of an issue that was not started',
      description:
        'What is absent stays as it is. Only while the issue is `pending` and not queued (`queued_at` is null), else 409. Told by an `issue.status` event from `pending` to `pending`, whose `detail` says so.',
    },
    refusals: [409],
    example: { body: { title: 'The sum of an empty list is NaN' } },
  })
  .input(z.strictObject({ id: resourceId, title: issueText.title.optional(), body: issueText.body.optional() }))
  .output(issueWire)
  .mutation(async ({ ctx, input: { id, title, body } }) => {
    const issue = await authorizeIssue(ctx, ctx.actor.user.id, id);
    return toIssueWire(await changeText(ctx, issue, { title, body, by: ctx.by }));
  });
