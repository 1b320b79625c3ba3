import { auditEntryWire, toAuditEntryWire } from '@sluice/core';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const listAudit = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/audit',
      tags: ['auth'],
      summary: 'Who decided and changed what, newest first',
      description:
        'Of your own account: what you did and in which session, and what the operator did to it. An entry is written with what it tells of, or neither is; it stays when that is deleted, and it holds names and numbers, never a text or a secret.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(auditEntryWire))
  .query(async ({ ctx, input }) =>
    toPageWire(await ctx.audit.list(ctx.actor.user.id, toPageRequest(input ?? {})), toAuditEntryWire),
  );
