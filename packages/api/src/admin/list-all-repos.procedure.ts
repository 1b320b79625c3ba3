import { requireOperator } from '@sluice/core/account';
import type { RegisteredRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const registeredRepoWire = z.object({
  id: z.uuid(),
  name: z.string(),
  registrant: z
    .object({
      id: z.uuid(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      codehost_login: z.string().nullable(),
      disabled: z
        .boolean()
        .describe(
          'Then no issue is created, queued or retried in the repository: Sluice reaches it with their account. Issues that are queued or running already go on.',
        ),
    })
    .describe('The user who registered it.'),
  members: z.int().describe('With the user who registered it.'),
  last_activity_at: z.iso
    .datetime()
    .describe('When its newest issue or its settings changed, or somebody last acted in it.'),
  created_at: z.iso.datetime(),
});

function toRegisteredRepoWire(repo: RegisteredRepo): z.infer<typeof registeredRepoWire> {
  const { id, name, registrant, members, lastActivityAt, createdAt } = repo;
  return {
    id,
    name,
    registrant: {
      id: registrant.id,
      name: registrant.name,
      email: registrant.email,
      codehost_login: registrant.codehostLogin,
      disabled: registrant.isDisabled,
    },
    members,
    last_activity_at: lastActivityAt.toISOString(),
    created_at: createdAt.toISOString(),
  };
}

export const listAllRepos = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/repos',
      tags: ['admin'],
      summary: 'List the registered repositories of all users, newest first',
      description:
        'For operators. Shows names, members and activity: neither settings nor issues, which only members see.',
    },
    refusals: ['operator_required'],
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(registeredRepoWire))
  .query(async ({ ctx, input }) => {
    requireOperator(ctx.actor.user);
    return toPageWire(await ctx.repos.listAll(toPageRequest(input ?? {})), toRegisteredRepoWire);
  });
