import { roles } from '@sluice/core/access';
import type { UserId } from '@sluice/core/id';
import {
  changeMember as changeRole,
  addMember as giveRole,
  memberWire,
  removeMember as takeRole,
  toMemberWire,
} from '@sluice/core/member';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { codeHostRefusals, withCodeHostDeadline } from '../../code-host/ask-code-host.ts';
import { resourceId } from '../../input/resource-id.ts';
import { text } from '../../input/text.ts';
import { scopedProcedure } from '../../procedure/procedure.ts';
import { mayInvite } from '../accounts/invitation-rule.ts';

const role = z
  .enum(roles)
  .describe(
    '`viewer` reads; `contributor` also creates issues and writes notes; `approver` also decides at gates and manages the issues of others; `admin` also changes settings and members.',
  );

export const listMembers = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/members',
      tags: ['members'],
      summary: 'List the members of a repository',
      description: 'All of them: the user who registered it first, then by when they became a member.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.object({ items: z.array(memberWire) }))
  .query(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'read');
    const reader = { reader: ctx.caller.userId, showsEmail: repo.role === 'admin' };
    return { items: (await ctx.members.list(repo.id)).map((member) => toMemberWire(member, reader)) };
  });

export const addMember = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'POST',
      path: '/repos/{id}/members',
      tags: ['members'],
      summary: 'Give a user a role in a repository',
      description:
        'Named by the e-mail of their account or by their login at the code host: they need an account first; if none has the e-mail, `can_invite` of the 404 says whether you may invite them (`POST /api/repos/{id}/invitations`). One who is a member already gets the new role. Needs the role `admin`.',
    },
    refusals: ['user_not_found', 'member_is_registrant', 'members_full', ...codeHostRefusals],
    example: { body: { user: 'grace@example.com', role: 'approver' } },
  })
  .input(
    z.strictObject({
      id: resourceId,
      user: text({ min: 1, max: 254, line: true }).describe(
        'The e-mail of their account, or their login at the code host.',
      ),
      role,
    }),
  )
  .output(memberWire)
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    const { user } = input;
    const who = user.includes('@') ? { email: user } : { codehostLogin: user };
    const member = await withCodeHostDeadline(ctx.signal, (signal) =>
      giveRole(ctx, repo, {
        who,
        role: input.role,
        mayInvite: mayInvite(ctx.options, ctx.actor),
        by: ctx.by,
        signal,
      }),
    );
    return toMemberWire(member, { reader: ctx.caller.userId, showsEmail: true });
  });

export const changeMember = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/repos/{id}/members/{user_id}',
      tags: ['members'],
      summary: 'Change the role of a member',
      description: 'Open streams and later requests go by the new role. Needs the role `admin`.',
    },
    refusals: ['member_not_found', 'member_is_registrant'],
    example: { body: { role: 'approver' } },
  })
  .input(z.strictObject({ id: resourceId, user_id: resourceId, role }))
  .output(memberWire)
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    const userId = input.user_id as UserId;
    const member = await changeRole(ctx, repo, { userId, role: input.role, by: ctx.by });
    return toMemberWire(member, { reader: ctx.caller.userId, showsEmail: true });
  });

export const removeMember = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/repos/{id}/members/{user_id}',
      tags: ['members'],
      summary: 'Remove a member, or leave',
      description:
        'Their streams end within a second, and their issues stay. Every member may remove themselves; others need the role `admin`. The user who registered the repository cannot be removed, nor a member whose role comes from the code host (409).',
    },
    status: 204,
    refusals: ['member_not_found', 'member_is_registrant', 'member_is_mirrored'],
  })
  .input(z.strictObject({ id: resourceId, user_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const userId = input.user_id as UserId;
    const act = userId === ctx.caller.userId ? 'read' : 'configure';
    const repo = await authorizeRepo(ctx, input.id, act);
    await takeRole(ctx, repo, { userId, by: ctx.by });
  });
