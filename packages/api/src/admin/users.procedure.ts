import { accountStates, requireOperator } from '@sluice/core/account';
import {
  disableUser,
  enableUser,
  removeSecondFactorsOf,
  setOperator,
  toUserAccountWire,
  userAccountWire,
} from '@sluice/core/administration';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure, userProcedure } from '../procedure/procedure.ts';
import { namedAccount, tellEndedOf } from './named-account.ts';

export const listUsers = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/users',
      tags: ['admin'],
      summary: 'List the users of the server, newest first',
      description: 'For operators. Shows accounts: no repository, no issue and no secret.',
    },
    refusals: ['operator_required'],
  })
  .input(
    z
      .strictObject({
        ...pageQuery,
        q: text({ min: 1, max: 100, line: true })
          .optional()
          .describe('Only those whose e-mail, name or login at the code host contains this, in any case.'),
        state: z
          .enum(accountStates)
          .optional()
          .describe('`active`: can log in. `disabled`: cannot. `operator`: operators who can log in.'),
      })
      .optional(),
  )
  .output(pageWire(userAccountWire))
  .query(async ({ ctx, input: { q, state, ...page } = {} }) => {
    requireOperator(ctx.actor.user);
    return toPageWire(await ctx.users.accounts(toPageRequest(page), { search: q, state }), toUserAccountWire);
  });

export const getUser = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/users/{user_id}',
      tags: ['admin'],
      summary: 'Read a user of the server',
      description: 'For operators.',
    },
    refusals: ['operator_required', 'user_not_found'],
  })
  .input(z.strictObject({ user_id: resourceId }))
  .output(userAccountWire)
  .query(async ({ ctx, input }) => toUserAccountWire(await namedAccount(ctx, input.user_id)));

export const updateUser = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/admin/users/{user_id}',
      tags: ['admin'],
      summary: 'Disable or enable a user, or make them an operator',
      description:
        'For operators. `disabled` ends the sessions of the user at once, refuses their API tokens, and cancels their issues that have not ended unless `keep_issues` is set. `operator` needs a session. Operators can do neither to their own account (`own_account`), and the last operator who can log in stays one (`last_operator`). Can be repeated.',
    },
    refusals: ['operator_required', 'session_required', 'user_not_found', 'own_account', 'last_operator'],
    example: { body: { disabled: true } },
  })
  .input(
    z
      .strictObject({
        user_id: resourceId,
        disabled: z.boolean().optional(),
        operator: z.boolean().optional(),
        keep_issues: z
          .boolean()
          .optional()
          .describe('Lets their issues go on up to a decision. With `disabled: true`.'),
      })
      .refine(({ disabled, operator }) => disabled !== undefined || operator !== undefined, {
        message: 'must name at least one member to change: `disabled` or `operator`',
      }),
  )
  .output(userAccountWire)
  .mutation(async ({ ctx, input }) => {
    const account = await namedAccount(ctx, input.user_id);
    const { by } = ctx;
    if (input.operator !== undefined) {
      // A leaked token must not make an operator of its thief.
      if (ctx.actor.session === null) throw new AppError('session_required');
      await setOperator(ctx, account, { isOperator: input.operator, by });
    }
    if (input.disabled === true) {
      const keepIssues = input.keep_issues ?? false;
      await disableUser(ctx, account, { by, keepIssues, evenLastOperator: false, tellEnded: tellEndedOf(ctx) });
    }
    if (input.disabled === false) await enableUser(ctx, account, by);
    return toUserAccountWire((await ctx.users.account(account.user.id)) ?? account);
  });

export const removeUserSecondFactors = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/admin/users/{user_id}/second-factors',
      tags: ['admin'],
      summary: 'Remove all second factors of a user',
      description:
        'For operators, when somebody has lost their device and their recovery codes. Removes the recovery codes too and ends the sessions of the user; the password stays. Not for the own account (`own_account`), whose second factors take the password.',
    },
    status: 204,
    refusals: ['operator_required', 'user_not_found', 'own_account'],
  })
  .input(z.strictObject({ user_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const account = await namedAccount(ctx, input.user_id);
    await removeSecondFactorsOf(ctx, account, { by: ctx.by, tellEnded: tellEndedOf(ctx) });
  });
