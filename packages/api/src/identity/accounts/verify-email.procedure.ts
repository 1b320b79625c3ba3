import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { publicProcedure, userProcedure } from '../../procedure/procedure.ts';
import { linkHashOf, linkToken, sendLink } from './account-links.ts';

export const requestEmailVerification = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/email-verification',
      operationId: 'auth-requestEmailVerification',
      tags: ['auth'],
      summary: 'Ask for a link that verifies your e-mail address',
      description: 'Sent to the address of your account, at most three times an hour. It works once, for a day.',
    },
    status: 202,
    refusals: ['email_not_configured', 'email_verified', 'account_without_email'],
  })
  .input(noInput)
  .output(z.void())
  .mutation(({ ctx }) => {
    const { user } = ctx.actor;
    if (!ctx.accountMails.areSent) throw new AppError('email_not_configured');
    if (user.email === null) throw new AppError('account_without_email');
    if (user.emailVerifiedAt !== null) throw new AppError('email_verified');
    ctx.accountMails.later(() => sendLink(ctx, user, 'email_verification'));
  });

export const verifyEmail = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/email-verification/confirm',
      operationId: 'auth-verifyEmail',
      tags: ['auth'],
      summary: 'Verify an e-mail address with the link that was sent there',
      description: 'Needs no session: the link says which account it is for. It opens none either.',
    },
    limit: 'use_link',
    status: 204,
    refusals: ['account_link_invalid'],
    example: { body: { token: 'gq0dQ3Zc1w0S8m4m6Yb7oX0v2yqk3yq1d8cF5J4uWvE' } },
  })
  .input(z.strictObject({ token: linkToken }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const user = await ctx.accountLinks.verifyEmail(linkHashOf(input.token), (userId) =>
      auditEntry(
        { userId, actor: { kind: 'user', sessionId: null } },
        { action: 'account.email_verified', subjectId: null, detail: {} },
      ),
    );
    if (user === null) throw new AppError('account_link_invalid');
  });
