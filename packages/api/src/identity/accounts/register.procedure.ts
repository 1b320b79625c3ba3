import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { hashInvitationToken } from '@sluice/core/invitation';
import * as z from 'zod';
import { text } from '../../input/text.ts';
import { publicProcedure } from '../../procedure/procedure.ts';
import { refuseCrossSite } from '../session/refuse-cross-site.ts';
import { startSession } from '../session/start-session.ts';
import { requirePasswords } from '../sign-in/login-ways.ts';
import { sendLink } from './account-links.ts';
import { newEmail } from './email.ts';
import { invitationRule } from './invitation-rule.ts';
import { newPassword } from './new-password.ts';

export const register = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/register',
      tags: ['auth'],
      summary: 'Create an account and log in',
      description:
        'A taken e-mail is answered 401, like any failed sign-in. With `invitation` also where `GET /api/server` says `invite`. Where the server sends e-mails, it sends the link that verifies the address.',
    },
    limit: 'register',
    status: 201,
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    refusals: [
      'email_unavailable',
      'bad_credentials',
      'password_login_disabled',
      'registration_closed',
      'invitation_required',
      'invitation_invalid',
      'cross_site_login',
      'not_ready',
    ],
    example: { body: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' } },
  })
  .input(
    z.strictObject({
      email: newEmail,
      password: newPassword,
      name: text({ min: 1, max: 100, line: true }).nullable().optional(),
      invitation: text({ min: 1, max: 100, line: true })
        .optional()
        .describe(
          'The token of an invitation, for the e-mail that it was made for: `invitation` in the fragment of its link.',
        ),
    }),
  )
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    refuseCrossSite(ctx);
    requirePasswords(ctx);
    const { registration } = ctx.options;
    const { invitation } = input;
    const takesInvitations = registration === 'open' || registration === 'invite';
    if (registration === 'closed' || (invitation !== undefined && !takesInvitations)) {
      throw new AppError('registration_closed');
    }
    const id = ctx.ids.next() as UserId;
    const passwordHash = await ctx.passwords.hash(input.password);
    const outcome = await ctx.users.create(
      {
        id,
        email: input.email,
        name: input.name ?? null,
        passwordHash,
        onlyIfFirst: registration !== 'open',
        invitationHash: invitation === undefined ? null : hashInvitationToken(invitation),
        onlyOperatorsInvite: invitationRule(ctx.options) === 'operators',
      },
      {
        userId: id,
        actor: { kind: 'user', sessionId: null },
        act: { action: 'account.registered', subjectId: null, detail: { by: 'password' } },
      },
    );
    if (outcome.kind === 'closed') {
      throw new AppError(registration === 'invite' ? 'invitation_required' : 'registration_closed');
    }
    if (outcome.kind === 'invitation_invalid') throw new AppError('invitation_invalid');
    if (outcome.kind === 'email_taken') throw new AppError('email_unavailable');
    await startSession(ctx, outcome.user, { by: 'password', hash: passwordHash });
    if (ctx.accountMails.areSent) ctx.accountMails.later(() => sendLink(ctx, outcome.user, 'email_verification'));
    return toUserProfileWire(outcome.user);
  });
