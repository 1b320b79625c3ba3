import { auditEntry } from '@sluice/core/audit';
import { accessTokenOf } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { revokeToken } from '../../code-host/revoke-token.ts';
import { publicProcedure } from '../../procedure/procedure.ts';
import { requirePasswords } from '../sign-in/login-ways.ts';
import { linkHashOf, linkToken, sendLink, settingsUrl } from './account-links.ts';
import { givenEmail } from './email.ts';
import { newPassword } from './new-password.ts';

export const requestPasswordReset = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/password-reset',
      operationId: 'auth-requestPasswordReset',
      tags: ['auth'],
      summary: 'Ask for a link that resets a forgotten password',
      description:
        'Always answered in the same way, and before the account is looked up: the answer does not reveal whether there is one. The link works once, for 30 minutes, and an account gets at most three an hour. An account without a password gets none.',
    },
    limit: 'reset_password',
    status: 202,
    refusals: ['email_not_configured', 'password_login_disabled'],
    example: { body: { email: 'ada@example.com' } },
  })
  .input(z.strictObject({ email: givenEmail }))
  .output(z.void())
  .mutation(({ ctx, input }) => {
    requirePasswords(ctx);
    if (!ctx.accountMails.areSent) throw new AppError('email_not_configured');
    ctx.accountMails.later(async () => {
      const user = await ctx.users.find({ email: input.email });
      if (user !== null) await sendLink(ctx, user, 'password_reset');
    });
  });

export const resetPassword = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/password-reset/confirm',
      operationId: 'auth-resetPassword',
      tags: ['auth'],
      summary: 'Set a new password with the link from an e-mail',
      description:
        'Ends all sessions of the account and tells its user by e-mail. It opens no session: log in with the new password. A second factor stays. Where the address was not verified before, somebody else may have registered it: then the API tokens of the account are revoked too, and its accounts at the code host and at OpenID providers unlinked.',
    },
    limit: 'use_link',
    status: 204,
    refusals: ['account_link_invalid', 'password_login_disabled'],
    example: { body: { token: 'gq0dQ3Zc1w0S8m4m6Yb7oX0v2yqk3yq1d8cF5J4uWvE', password: 'a staple of batteries' } },
  })
  .input(z.strictObject({ token: linkToken, password: newPassword }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    requirePasswords(ctx);
    const tokenHash = linkHashOf(input.token);
    // First, so that only a link that works costs the time of a hash.
    if (!(await ctx.accountLinks.isLive(tokenHash, 'password_reset'))) throw new AppError('account_link_invalid');
    const passwordHash = await ctx.passwords.hash(input.password);
    const reset = await ctx.accountLinks.resetPassword({ tokenHash, passwordHash }, (userId, ended) =>
      auditEntry(
        { userId, actor: { kind: 'user', sessionId: null } },
        {
          action: 'account.password_reset',
          subjectId: null,
          detail: {
            sessions_ended: ended.sessions,
            tokens_revoked: ended.tokens || undefined,
            accounts_unlinked: ended.unlinked || undefined,
          },
        },
      ),
    );
    if (reset === null) throw new AppError('account_link_invalid');
    const { user, endedSessions, endedTokens, unlinked, codehostGrant } = reset;
    for (const ended of [...endedSessions, ...endedTokens]) ctx.signals.sessionEnded(ended);
    if (unlinked > 0) ctx.signals.accessChanged(user.id);
    if (user.email !== null) ctx.accountMails.send(user.email, { kind: 'password_changed', url: settingsUrl(ctx) });
    const token = codehostGrant === null ? null : accessTokenOf(ctx.cipher, user.id, codehostGrant);
    if (ctx.codehost !== null && token !== null) await revokeToken(ctx, ctx.codehost.identity, token);
  });
