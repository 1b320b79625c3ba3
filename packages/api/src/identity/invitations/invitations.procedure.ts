import { randomBytes } from 'node:crypto';
import { roles } from '@sluice/core/access';
import { requireOperator, type User } from '@sluice/core/account';
import {
  INVITATION_DAYS,
  invitationUrl,
  invitationWire,
  invite,
  toInvitationWire,
  withdrawInvitation,
} from '@sluice/core/invitation';
import { authorizeRepo, type Repo } from '@sluice/core/repo';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../../input/page-query.ts';
import { idField, resourceId } from '../../input/resource-id.ts';
import { scopedProcedure } from '../../procedure/procedure.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import { newEmail } from '../accounts/email.ts';
import { requireInvitations } from '../accounts/invitation-rule.ts';
import type { Actor } from '../session/actor.ts';

const SECRET_BYTES = 32;

export const createdInvitationWire = invitationWire.extend({
  url: z.url().describe('The link for the invited person, in this answer alone. It works once.'),
});

const role = z.enum(roles);
const inviteRefusals = ['invitations_off', 'invitation_for_account', 'invitations_full', 'account_disabled'] as const;

/**
 * Invites somebody to make an account. Not idempotent, here and below: the link in the answer would be stored in the clear
 * with the key.
 */
export const createInvitation = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'POST',
      path: '/admin/invitations',
      tags: ['admin'],
      summary: 'Invite somebody to make an account',
      description:
        'For operators. The link is sent where the server sends e-mails; otherwise hand it over yourself. It works once within seven days, for an account with this e-mail and a password, also where `REGISTRATION=invite` lets in no one else. With `repo_id` and `role` the account becomes a member of a repository of which you are an admin. Inviting the same e-mail again replaces the link. 409 `invitations_off` where `REGISTRATION` is neither `open` nor `invite`, or passwords are off.',
    },
    status: 201,
    limit: 'invite',
    refusals: ['operator_required', ...inviteRefusals, 'repo_not_found', 'not_owner', 'role_insufficient'],
    example: { body: { email: 'grace@example.com' } },
  })
  .input(
    z
      .strictObject({
        email: newEmail,
        repo_id: idField.optional().describe('A repository of which you are an admin.'),
        role: role.optional().describe('The role there.'),
      })
      .refine(({ repo_id, role }) => (repo_id === undefined) === (role === undefined), {
        path: ['role'],
        message: 'is needed with `repo_id`, and not allowed without it',
      }),
  )
  .output(createdInvitationWire)
  .mutation(async ({ ctx, input }) => {
    requireOperator(ctx.actor.user);
    requireInvitations(ctx.options, ctx.actor);
    const { email, repo_id, role } = input;
    const into =
      repo_id === undefined || role === undefined
        ? null
        : { repo: await authorizeRepo(ctx, repo_id, 'configure'), role };
    const { invitation, token } = await invite(ctx, { email, into, secret: randomBytes(SECRET_BYTES) }, ctx.by);
    const url = invitationUrl(ctx.options.publicUrl, { token, email });
    sendInvitation(ctx, { email, url, repo: into?.repo ?? null });
    return { ...toInvitationWire(invitation), url };
  });

export const listInvitations = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/invitations',
      tags: ['admin'],
      summary: 'List the invitations that wait to be used, newest first',
      description: 'For operators. Lists the invitations of all users; expired ones for 30 days.',
    },
    refusals: ['operator_required'],
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(invitationWire))
  .query(async ({ ctx, input }) => {
    requireOperator(ctx.actor.user);
    return toPageWire(await ctx.invitations.list('all', toPageRequest(input ?? {})), toInvitationWire);
  });

export const deleteInvitation = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/admin/invitations/{invitation_id}',
      tags: ['admin'],
      summary: 'Take an invitation back',
      description: 'For operators. Withdraws an invitation of any user: its link no longer works.',
    },
    status: 204,
    refusals: ['operator_required', 'invitation_not_found'],
  })
  .input(z.strictObject({ invitation_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    requireOperator(ctx.actor.user);
    await withdrawInvitation(ctx, { id: input.invitation_id, repo: null, by: ctx.by });
  });

export const inviteMember = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'POST',
      path: '/repos/{id}/invitations',
      tags: ['members'],
      summary: 'Invite somebody without an account to a repository',
      description:
        'The link is sent where the server sends e-mails; otherwise hand it over yourself. It works once within seven days, for an account with this e-mail and a password, which becomes a member at once. Inviting the same e-mail again replaces the link. Needs the role `admin`, and where the operator has not allowed it to admins an operator: 409 `invitations_off`.',
    },
    status: 201,
    limit: 'invite',
    refusals: [...inviteRefusals],
    example: { body: { email: 'grace@example.com', role: 'contributor' } },
  })
  .input(z.strictObject({ id: resourceId, email: newEmail, role }))
  .output(createdInvitationWire)
  .mutation(async ({ ctx, input: { id, email, role } }) => {
    const repo = await authorizeRepo(ctx, id, 'configure');
    requireInvitations(ctx.options, ctx.actor);
    const draft = { email, into: { repo, role }, secret: randomBytes(SECRET_BYTES) };
    const { invitation, token } = await invite(ctx, draft, ctx.by);
    const url = invitationUrl(ctx.options.publicUrl, { token, email });
    sendInvitation(ctx, { email, url, repo });
    return { ...toInvitationWire(invitation), url };
  });

export const listRepoInvitations = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/invitations',
      tags: ['members'],
      summary: 'List the invitations to a repository that wait to be used, newest first',
      description: 'Lists expired ones for 30 days. Needs the role `admin`.',
    },
    refusals: ['role_insufficient'],
  })
  .input(z.strictObject({ id: resourceId, ...pageQuery }))
  .output(pageWire(invitationWire))
  .query(async ({ ctx, input: { id, ...page } }) => {
    const repo = await authorizeRepo(ctx, id, 'configure');
    return toPageWire(await ctx.invitations.list({ repoId: repo.id }, toPageRequest(page)), toInvitationWire);
  });

export const deleteRepoInvitation = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/repos/{id}/invitations/{invitation_id}',
      tags: ['members'],
      summary: 'Take an invitation to a repository back',
      description: 'Withdraws an invitation of any admin: its link no longer works. Needs the role `admin`.',
    },
    status: 204,
    refusals: ['invitation_not_found'],
  })
  .input(z.strictObject({ id: resourceId, invitation_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    await withdrawInvitation(ctx, { id: input.invitation_id, repo, by: ctx.by });
  });

interface Invited {
  readonly email: string;
  readonly url: string;
  /** Null: to the server alone. */
  readonly repo: Pick<Repo, 'name'> | null;
}

/** Sends the link after the answer, where the server sends e-mails. A lost e-mail loses nothing: the answer has the link too. */
function sendInvitation(
  { accountMails, options, actor }: Pick<RequestContext, 'accountMails' | 'options'> & { readonly actor: Actor },
  { email, url, repo }: Invited,
): void {
  const { host } = options.publicUrl;
  const { user } = actor;
  accountMails.send(email, {
    kind: 'invitation',
    url,
    days: INVITATION_DAYS,
    inviter: knownNameOf(user),
    place: repo === null ? `the server ${host}` : `the repository ${repo.name} at ${host}`,
  });
}

/**
 * A name for the inviter that the server knows: a display name can be any text, and this e-mail goes to people who have
 * not asked for it.
 */
function knownNameOf({ email, emailVerifiedAt, codehostLogin }: User): string {
  if (email !== null && emailVerifiedAt !== null) return email;
  return codehostLogin ?? 'A user of the server';
}
