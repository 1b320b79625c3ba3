import { randomBytes } from 'node:crypto';
import { tokenScopes } from '@sluice/core/access';
import {
  apiTokenWire,
  createApiToken as createToken,
  MAX_TOKEN_LIFE_DAYS,
  toApiTokenWire,
} from '@sluice/core/api-token';
import { AppError } from '@sluice/core/error';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { idField } from '../../input/resource-id.ts';
import { text } from '../../input/text.ts';
import { userProcedure } from '../../procedure/procedure.ts';

const SECRET_BYTES = 32;

export const createdApiTokenWire = apiTokenWire.extend({
  token: z.string().describe('The token itself, in this answer alone. Send it as `Authorization: Bearer slc_…`.'),
});

/** Creates an API token. Not idempotent: the token in the answer would be stored in the clear with the key. */
export const createApiToken = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/tokens',
      tags: ['tokens'],
      summary: 'Create an API token for a script',
      description:
        'The token is in this answer and nowhere else. It can do what its owner can, within its scope and its repository, and nothing that acts on the account itself. 409 `api_tokens_off` unless the operator has set `API_TOKENS=on`; 409 beyond 50 tokens that can be used.',
    },
    status: 201,
    refusals: ['api_tokens_off', 'api_tokens_full', 'repo_not_found', 'not_owner', 'account_disabled'],
    example: {
      body: {
        name: 'CI of shop',
        scope: 'write',
        repo_id: '0193a5a2-1b0c-7e11-8a55-0f3d9c4b7a10',
        expires_in_days: 90,
      },
    },
  })
  .input(
    z.strictObject({
      name: text({ min: 1, max: 100, line: true }).describe('What it is for, to recognize it by.'),
      scope: z.enum(tokenScopes).describe(apiTokenWire.shape.scope.description ?? ''),
      repo_id: idField.nullable().optional().describe('The only repository that it reaches. Left out: all of yours.'),
      expires_in_days: z.int().min(1).max(MAX_TOKEN_LIFE_DAYS).describe('Days until it expires.'),
    }),
  )
  .output(createdApiTokenWire)
  .mutation(async ({ ctx, input }) => {
    const repo = input.repo_id ? await authorizeRepo(ctx, input.repo_id, 'read') : null;
    if (ctx.options.takesApiTokens !== true) throw new AppError('api_tokens_off');
    const { name, scope, expires_in_days: expiresInDays } = input;
    const draft = { name, scope, repo, expiresInDays, secret: randomBytes(SECRET_BYTES) };
    const { token, text } = await createToken(ctx, { draft, by: ctx.by });
    return { ...toApiTokenWire(token), token: text };
  });
