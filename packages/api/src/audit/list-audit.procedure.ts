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
      summary: 'List the audit log of your account, newest first',
      description:
        'Shows what you did, in which session, and what operators did to your account. An entry is written together with its change, and stays when the subject is deleted. It holds names and numbers, never texts or secrets.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(auditEntryWire))
  .query(async ({ ctx, input }) =>
    toPageWire(await ctx.audit.list(ctx.actor.user.id, toPageRequest(input ?? {})), toAuditEntryWire),
  );
