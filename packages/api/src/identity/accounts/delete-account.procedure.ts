import { accessTokenOf } from '@sluice/core/code-host';
import { type DeletionPlan, deleteAccount } from '@sluice/core/deletion';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { revokeToken } from '../../code-host/revoke-token.ts';
import { noInput } from '../../input/no-input.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { challengeToken, givenSecondFactor } from '../second-factor/second-factor.wire.ts';
import { endedCookie } from '../session/session-cookie.ts';
import { loginWays } from '../sign-in/login-ways.ts';
import { givenPassword } from './new-password.ts';
import { proveForDeletion } from './prove-for-deletion.ts';

export const accountDeletionWire = z.object({
  proof: z
    .enum(['password', 'recent_sign_in'])
    .describe('What the deletion needs: the current password, or a session that is younger than ten minutes.'),
  last_operator: z
    .boolean()
    .describe('Whether no one else is an operator who can log in: then the account cannot be deleted.'),
  issues_to_cancel: z
    .int()
    .describe('Issues that have not ended: yours, and those of other users in repositories that are removed.'),
  issues_kept: z
    .int()
    .describe(
      'Issues of yours in repositories that stay, with all that they hold. At most 1,000 are counted, here and below.',
    ),
  repos: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      heir: z
        .object({ user_id: z.uuid(), name: z.string().nullable(), codehost_login: z.string().nullable() })
        .nullable()
        .describe('The admin to whom it is handed over; null: it is removed with its issues.'),
      issues: z.int(),
      issues_of_others: z.int().describe('How many of `issues` other users created.'),
      token_dropped: z.boolean().describe('Whether its access token is deleted, as it is yours.'),
    }),
  ),
});

export const getAccountDeletion = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/me/deletion',
      operationId: 'auth-deletion',
      tags: ['auth'],
      summary: 'Read what the deletion of your account would do',
      description: 'At this moment: it changes nothing.',
    },
  })
  .input(noInput)
  .output(accountDeletionWire)
  .query(async ({ ctx }) => {
    const plan = await ctx.deletions.plan(ctx.actor.user.id, { foldersFor: ctx.options.localReposFor });
    return toAccountDeletionWire(plan, loginWays(ctx).passwords);
  });

const input = z
  .strictObject({
    current_password: givenPassword.optional().describe('Needed where `proof` is `password`.'),
    challenge: challengeToken.optional().describe('The challenge from the 401 with the code `second_factor_required`.'),
    second_factor: givenSecondFactor.optional().describe('With `challenge`, in place of `current_password`.'),
  })
  .refine(({ challenge, second_factor }) => (challenge === undefined) === (second_factor === undefined), {
    message: '`challenge` and `second_factor` are sent together',
  });

export const deleteMe = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/me/deletion',
      operationId: 'auth-deleteMe',
      tags: ['auth'],
      summary: 'Delete your account',
      description:
        'Cancels your issues; hands your repositories over to another admin, or removes them with their issues; and deletes your memberships, sessions, tokens, second factors, sign-in accounts, notification targets, password, name and e-mail. Issues in repositories of others stay. It needs the current password (403 for a wrong one) and, where the account has a second factor, answers 401 `second_factor_required` first, as a login does; an account without a password needs a session younger than ten minutes. It cannot be undone. If it is interrupted, ask again: what is left is deleted then.',
    },
    status: 204,
    limit: 'change_account',
    headers: { 'Set-Cookie': 'Removes the session cookie.' },
    refusals: [
      'password_wrong',
      'sign_in_not_recent',
      'second_factor_required',
      'second_factor_wrong',
      'second_factor_challenge_invalid',
      'second_factor_paused',
      'last_operator',
      'account_busy',
    ],
    example: { body: { current_password: 'correct horse battery' } },
  })
  .input(input)
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const { user } = ctx.actor;
    if (user.isOperator && !(await ctx.users.hasOtherOperator(user.id))) throw new AppError('last_operator');
    const proof = await proveForDeletion(ctx, input);
    const rules = { foldersFor: ctx.options.localReposFor };
    const deleted = await deleteAccount(ctx, proof, { by: ctx.by, rules });
    for (const ended of [...deleted.endedSessions, ...deleted.endedTokens]) ctx.signals.sessionEnded(ended);
    ctx.appendHeader('Set-Cookie', endedCookie(ctx.options));
    const url = ctx.options.publicUrl.href;
    if (user.email !== null) ctx.accountMails.send(user.email, { kind: 'account_deleted', url });
    const token = deleted.codehostGrant === null ? null : accessTokenOf(ctx.cipher, user.id, deleted.codehostGrant);
    if (ctx.codehost !== null && token !== null) await revokeToken(ctx, ctx.codehost.identity, token);
  });

function toAccountDeletionWire(plan: DeletionPlan, takesPasswords: boolean): z.infer<typeof accountDeletionWire> {
  return {
    proof: takesPasswords && plan.hasPassword ? 'password' : 'recent_sign_in',
    last_operator: plan.isLastOperator,
    issues_to_cancel: plan.issuesToCancel,
    issues_kept: plan.issuesKept,
    repos: plan.repos.map(({ id, name, heir, issues, issuesOfOthers, hasToken }) => ({
      id,
      name,
      heir: heir === null ? null : { user_id: heir.userId, name: heir.name, codehost_login: heir.codehostLogin },
      issues,
      issues_of_others: issuesOfOthers,
      token_dropped: hasToken,
    })),
  };
}
