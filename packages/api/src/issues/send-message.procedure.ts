import { authorizeIssue, sendNote } from '@sluice/core/issue';
import * as z from 'zod';
import { attachmentIdsField } from '../attachments/attachment-ids.wire.ts';
import { answeredOnce } from '../idempotency/answered-once.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const sendMessage = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/messages',
      tags: ['issues'],
      summary: 'Write a note to the working agent',
      description:
        'The agent reads the note before its next turn, and a command that it is running is stopped for that; between two stages, the next agent reads it. `note.read` says which agent has read it. 409 unless the issue is `running`. The note is a `user.message` event.',
    },
    limit: 'send_message',
    status: 202,
    idempotent: true,
    refusals: ['issue_not_running', 'attachment_unusable', 'issue_attachments_full'],
    example: { body: { text: 'Leave the public API as it is.' } },
  })
  .input(z.strictObject({ id: resourceId, text: text({ min: 1, max: 8_000 }), attachments: attachmentIdsField }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const route = 'POST /api/issues/{id}/messages';
    await answeredOnce(ctx, { route, input, toResponse: () => ({ body: null, location: '' }) }, async (response) => {
      const issue = await authorizeIssue(ctx, input.id, 'note');
      await sendNote(ctx, issue, { text: input.text, attachments: input.attachments, by: ctx.by, response });
      return issue.id;
    });
  });
