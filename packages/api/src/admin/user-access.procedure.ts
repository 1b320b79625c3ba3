import { sessionWire, toSessionWire } from '@sluice/core/account';
import { endSessionsOf, revokeTokenOf } from '@sluice/core/administration';
import { apiTokenWire, toApiTokenWire } from '@sluice/core/api-token';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { namedAccount, tellEndedOf } from './named-account.ts';

export const listUserSessions = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/users/{user_id}/sessions',
      tags: ['admin'],
      summary: 'List the sessions of a user, newest first',
      description: 'For operators. Lists live sessions.',
    },
    refusals: ['operator_required', 'user_not_found'],
  })
  .input(z.strictObject({ user_id: resourceId, ...pageQuery }))
  .output(pageWire(sessionWire))
  .query(async ({ ctx, input: { user_id, ...page } }) => {
    const { user } = await namedAccount(ctx, user_id);
    const sessions = await ctx.sessions.list(user.id, toPageRequest(page));
    return toPageWire(sessions, (one) => toSessionWire(one, ctx.actor.session?.id ?? null));
  });

export const endUserSessions = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'POST',
      path: '/admin/users/{user_id}/end-sessions',
      tags: ['admin'],
      summary: 'End all sessions of a user',
      description:
        "For operators. The user's next request is refused and their streams are closed; they can log in again.",
    },
    status: 204,
    refusals: ['operator_required', 'user_not_found'],
  })
  .input(z.strictObject({ user_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const account = await namedAccount(ctx, input.user_id);
    await endSessionsOf(ctx, account, { by: ctx.by, tellEnded: tellEndedOf(ctx) });
  });

export const listUserTokens = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/users/{user_id}/tokens',
      tags: ['admin'],
      summary: 'List the API tokens of a user, newest first',
      description: 'For operators. Lists tokens that were not revoked; expired ones for 30 days.',
    },
    refusals: ['operator_required', 'user_not_found'],
  })
  .input(z.strictObject({ user_id: resourceId, ...pageQuery }))
  .output(pageWire(apiTokenWire))
  .query(async ({ ctx, input: { user_id, ...page } }) => {
    const { user } = await namedAccount(ctx, user_id);
    const tokens = await ctx.apiTokens.list({ userId: user.id }, toPageRequest(page));
    return toPageWire(tokens, ({ token }) => toApiTokenWire(token));
  });

export const revokeUserToken = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/admin/users/{user_id}/tokens/{token_id}',
      tags: ['admin'],
      summary: 'Revoke an API token of a user',
      description: "For operators. The token's next request is refused and its streams are closed.",
    },
    status: 204,
    refusals: ['operator_required', 'user_not_found', 'api_token_not_found'],
  })
  .input(z.strictObject({ user_id: resourceId, token_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const { user } = await namedAccount(ctx, input.user_id);
    const request = { by: ctx.by, tellEnded: tellEndedOf(ctx), owner: user.id };
    if ((await revokeTokenOf(ctx, input.token_id, request)) === null) throw new AppError('api_token_not_found');
  });
