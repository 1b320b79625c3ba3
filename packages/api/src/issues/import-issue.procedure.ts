import { authorizeRepo, importIssue as bringIssue, issueWire } from '@sluice/core';
import * as z from 'zod';
import { codehostRefusals, withinPatience } from '../code-host/ask-code-host.ts';
import { answeredOnce } from '../idempotency/answered-once.ts';
import { idField } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { issueResponse } from './issue-response.ts';

const MAX_NUMBER = 2_147_483_647; // what a column of integers holds, and more than any repository has

export const importIssue = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/import',
      tags: ['issues'],
      summary: 'Import an issue from the code host',
      description:
        'It stays `pending` until `POST /api/issues/{id}/run`. Its text, labels and comments are brought along; comments by people who may not write to the repository stand in a part of their own, which no agent takes for an instruction. Text that nobody sees (HTML comments, characters without width or for the direction of writing) is shown at the gate. 409 when that number has been imported already (`issue_imported`, with `issue_id`) and for a repository that was registered by its URL; 404 for a pull request.',
    },
    limit: 'import_issue',
    status: 201,
    idempotent: true,
    headers: { Location: 'Where the issue is.' },
    refusals: [403, 404, ...codehostRefusals],
    example: { body: { repo_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f', number: 7 } },
  })
  .input(
    z.strictObject({
      repo_id: idField,
      number: z.int(`must be a whole number from 1 to ${MAX_NUMBER}`).min(1).max(MAX_NUMBER),
    }),
  )
  .output(issueWire)
  .mutation(async ({ ctx, input }) =>
    answeredOnce(ctx, { route: 'POST /api/issues/import', input, toResponse: issueResponse }, async (response) => {
      const repo = await authorizeRepo(ctx, ctx.actor.user.id, input.repo_id);
      const { number } = input;
      return await withinPatience(ctx.signal, (signal) =>
        bringIssue(ctx, repo, { number, signal, by: ctx.by, response }),
      );
    }),
  );
