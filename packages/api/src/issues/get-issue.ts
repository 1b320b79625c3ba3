import { authorizeIssue, issueWire, toIssueWire } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const getIssue = userProcedure
  .meta({
    openapi: { method: 'GET', path: '/issues/{id}', tags: ['issues'], summary: 'Read an issue' },
    etag: true,
  })
  .input(z.strictObject({ id: resourceId }))
  .output(issueWire)
  .query(async ({ ctx, input }) => toIssueWire(await authorizeIssue(ctx, ctx.actor.user.id, input.id)));
