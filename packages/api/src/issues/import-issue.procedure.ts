import { importIssue as bringIssue } from '@sluice/core/hosted-issue';
import { issueWire } from '@sluice/core/issue';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { registeredRepoRefusals, withCodeHostDeadline } from '../code-host/ask-code-host.ts';
import { answeredOnce } from '../idempotency/answered-once.ts';
import { idField } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { issueResponse } from './issue-response.ts';

const MAX_NUMBER = 2_147_483_647; // the largest value of an integer column, and more than any repository has

export const importIssue = scopedProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/issues/import',
      tags: ['issues'],
      summary: 'Import an issue from the code host',
      description:
        'The issue stays `pending` until `POST /api/issues/{id}/run`. Its text, labels and comments are imported; comments by people without write access to the repository go into a separate section that agents do not take as instructions. Hidden text (HTML comments, zero-width and bidirectional control characters) is shown at the gate. 409 when that number has already been imported (`issue_imported`, with `issue_id`) and for a repository that was registered by its URL; 404 for a pull request.',
    },
    limit: 'import_issue',
    status: 201,
    idempotent: true,
    headers: { Location: 'The path of the issue.' },
    refusals: [
      'not_owner',
      'role_insufficient',
      'issue_imported',
      'repo_not_hosted',
      'account_disabled',
      'registrant_disabled',
      ...registeredRepoRefusals,
    ],
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
    answeredOnce(ctx, { route: 'POST /api/issues/import', input, toResponse: issueResponse(ctx) }, async (response) => {
      const repo = await authorizeRepo(ctx, input.repo_id, 'contribute');
      const { number } = input;
      return await withCodeHostDeadline(ctx.signal, (signal) =>
        bringIssue(ctx, repo, { number, signal, by: ctx.by, response }),
      );
    }),
  );
