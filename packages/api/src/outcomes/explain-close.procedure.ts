import { CLOSE_NOTE_LENGTH, closeReasons } from '@sluice/core/code-host';
import { authorizeIssue } from '@sluice/core/issue';
import { explainClose as explain } from '@sluice/core/outcome';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { outcomeWire, toOutcomeWire } from './outcome.wire.ts';

export const explainClose = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/{id}/close-reason',
      tags: ['outcomes'],
      summary: 'Say why a pull request was closed without a merge',
      description:
        'Sluice asks once for each close, by a `close.asked` event. You may change your answer; that of another person stays (409 `close_explained`). 409 `close_not_asked` unless the pull request is closed. When it is opened again, the question and the answer are dropped.',
    },
    refusals: ['close_not_asked', 'close_explained'],
    example: { body: { reason: 'too_large', note: 'In three parts, please.' } },
  })
  .input(
    z.strictObject({
      id: resourceId,
      reason: z.enum(closeReasons).describe('The reason.'),
      note: text({ min: 1, max: CLOSE_NOTE_LENGTH }).optional().describe('What the reason leaves open.'),
    }),
  )
  .output(outcomeWire)
  .mutation(async ({ ctx, input: { id, reason, note = null } }) => {
    const issue = await authorizeIssue(ctx, id, 'manage');
    return toOutcomeWire(await explain(ctx, issue, { reason, note, by: ctx.by }));
  });
