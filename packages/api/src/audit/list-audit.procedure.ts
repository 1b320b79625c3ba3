import { auditEntryWire, toAuditEntryWire } from '@sluice/core/audit';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { idField } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const listAudit = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'GET',
      path: '/audit',
      tags: ['auth'],
      summary: 'List the audit log of your account, or of a repository, newest first',
      description:
        'Shows what you did, in which session, and what operators did to your account. An entry is written together with its change, and stays when the subject is deleted. It holds names and numbers, never texts or secrets.',
    },
    refusals: ['repo_not_found', 'not_owner', 'role_insufficient'],
  })
  .input(
    z
      .strictObject({
        repo_id: idField.optional().describe('What members did in one repository. Needs the role `admin` there.'),
        ...pageQuery,
      })
      .optional(),
  )
  .output(pageWire(auditEntryWire))
  .query(async ({ ctx, input: { repo_id, ...page } = {} }) => {
    const request = toPageRequest(page);
    const repoId = repo_id ?? ctx.caller.limits?.repoId ?? undefined; // a token of one repository sees that alone
    if (repoId === undefined) return toPageWire(await ctx.audit.list(ctx.caller.userId, request), toAuditEntryWire);
    const repo = await authorizeRepo(ctx, repoId, 'configure');
    const found = await ctx.audit.listOfRepo(repo.id, request);
    return toPageWire(found, (entry) => {
      const wire = toAuditEntryWire(entry);
      return entry.userId === ctx.caller.userId ? wire : { ...wire, session_id: null };
    });
  });
