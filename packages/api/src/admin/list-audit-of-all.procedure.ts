import { requireOperator } from '@sluice/core/account';
import { auditedActions, operatorAuditEntryWire, toOperatorAuditEntryWire } from '@sluice/core/audit';
import * as z from 'zod';
import { instant } from '../input/instant.ts';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { idField } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

const page = pageWire(operatorAuditEntryWire);

export const listAuditOfAll = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/audit',
      tags: ['admin'],
      summary: 'List the audit log of the whole installation, newest first',
      description:
        'For operators. Shows who did what, on what, with which decision. Filters can be combined. As text, all matching entries from the cursor on, one JSON object a line. `sluice admin audit --verify` on the machine shows whether entries were changed or removed.',
    },
    refusals: ['operator_required'],
    text: {
      type: 'application/x-ndjson',
      description: 'Each matching entry as one line of JSON, newest first; all of them, not one page.',
      text: ({ items }: z.infer<typeof page>) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
      next: ({ next_cursor: cursor }: z.infer<typeof page>) => (cursor === null ? null : { cursor, limit: 100 }),
      headers: { 'Content-Disposition': 'attachment; filename="audit.jsonl"' },
    },
  })
  .input(
    z
      .strictObject({
        user_id: idField.optional().describe('Entries of one account.'),
        repo_id: idField.optional().describe('Entries about one repository. Those of an older release do not name it.'),
        action: z.enum(auditedActions).optional().describe('Entries of one kind of act.'),
        from: instant.optional().describe('At this time or later.'),
        to: instant.optional().describe('Before this time.'),
        ...pageQuery,
      })
      .optional(),
  )
  .output(page)
  .query(async ({ ctx, input: { user_id, repo_id, action, from, to, ...request } = {} }) => {
    requireOperator(ctx.actor.user);
    const found = await ctx.audit.listAll(toPageRequest(request), {
      ...(user_id !== undefined && { userId: user_id }),
      ...(repo_id !== undefined && { repoId: repo_id }),
      ...(action !== undefined && { action }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    });
    return toPageWire(found, toOperatorAuditEntryWire);
  });
