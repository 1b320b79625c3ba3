import { apiTokenWire, ownedTokenWire, revokeApiToken, toApiTokenWire, toOwnedTokenWire } from '@sluice/core/api-token';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../../input/page-query.ts';
import { resourceId } from '../../input/resource-id.ts';
import { userProcedure } from '../../procedure/procedure.ts';

export const listApiTokens = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/tokens',
      tags: ['tokens'],
      summary: 'List your API tokens, newest first',
      description: 'Lists tokens that were not revoked; expired ones for 30 days.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(apiTokenWire))
  .query(async ({ ctx, input }) => {
    const page = await ctx.apiTokens.list({ userId: ctx.actor.user.id }, toPageRequest(input ?? {}));
    return toPageWire(page, ({ token }) => toApiTokenWire(token));
  });

export const deleteApiToken = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/tokens/{id}',
      tags: ['tokens'],
      summary: 'Revoke one of your API tokens',
      description: "The token's next request is refused and its streams are closed.",
    },
    status: 204,
    // Must work while a thief uses up the other limit.
    limit: 'none',
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(({ ctx, input }) => revokeApiToken(ctx, { id: input.id, by: ctx.by }));

export const listRepoTokens = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/tokens',
      tags: ['tokens'],
      summary: 'List the API tokens that are limited to a repository',
      description:
        'Lists the tokens of all members, newest first. Needs the role `admin`. Tokens of members that reach all of their repositories are not among them.',
    },
    refusals: ['role_insufficient'],
  })
  .input(z.strictObject({ id: resourceId, ...pageQuery }))
  .output(pageWire(ownedTokenWire))
  .query(async ({ ctx, input: { id, ...page } }) => {
    const repo = await authorizeRepo(ctx, id, 'configure');
    return toPageWire(await ctx.apiTokens.list({ repoId: repo.id }, toPageRequest(page)), toOwnedTokenWire);
  });

export const deleteRepoToken = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/repos/{id}/tokens/{token_id}',
      tags: ['tokens'],
      summary: 'Revoke an API token that is limited to a repository',
      description: 'Revokes the token of any member. Needs the role `admin`.',
    },
    status: 204,
    refusals: ['api_token_not_found'],
  })
  .input(z.strictObject({ id: resourceId, token_id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    await revokeApiToken(ctx, { id: input.token_id, by: ctx.by, repo });
  });
