import { authorizeIssue, editIssue as changeIssue, editedFields, fieldsOf, issueWire } from '@sluice/core/issue';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { editedIssueShape } from './issue-request.wire.ts';
import { issueAnswer } from './issue-response.ts';

export const editIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/issues/{id}',
      tags: ['issues'],
      summary: 'Edit the text of an issue that has not started',
      description:
        'Absent members stay as they are. 409 unless the issue is `pending` and not queued (`queued_at` is null). Reported by an `issue.status` event from `pending` to `pending` with a `detail`.',
    },
    refusals: ['issue_not_editable'],
    example: { body: { title: 'The sum of an empty list is NaN' } },
  })
  .input(z.strictObject({ id: resourceId, ...editedIssueShape }))
  .output(issueWire)
  .mutation(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'manage');
    const change = fieldsOf(editedFields, input);
    return await issueAnswer(ctx, await changeIssue(ctx, issue, { ...change, by: ctx.by }));
  });
