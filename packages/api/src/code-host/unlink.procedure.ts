import { auditEntry } from '@sluice/core/audit';
import { AppError, toAppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import * as z from 'zod';
import { loginWays } from '../identity/sign-in/login-ways.ts';
import { noInput } from '../input/no-input.ts';
import { userProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { configuredCodeHost } from './configured-code-host.ts';
import { revokeToken } from './revoke-token.ts';

export const unlinkCodehost = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/auth/codehost',
      operationId: 'auth-unlinkCodehost',
      tags: ['codehost'],
      summary: 'Unlink the account at the code host',
      description:
        'Deletes the stored token and revokes it at the code host if that answers. 409 where no account is linked, where you could not log in without it, and where no code host is configured.',
    },
    status: 204,
    refusals: ['codehost_not_linked', 'codehost_only_login', 'codehost_not_configured'],
  })
  .input(noInput)
  .output(z.void())
  .mutation(async ({ ctx }) => {
    const { identity } = configuredCodeHost(ctx);
    const { id } = ctx.actor.user;
    const token = await currentToken(ctx, id);
    const unlinked = auditEntry(ctx.by, { action: 'account.unlinked', subjectId: null, detail: {} });
    const outcome = await ctx.codehostLinks.unlink(id, loginWays(ctx), unlinked);
    if (outcome === 'not_linked') throw new AppError('codehost_not_linked');
    if (outcome === 'only_login') throw new AppError('codehost_only_login');
    if (token !== null) await revokeToken(ctx, identity, token);
  });

/** Null where no valid token is stored or it cannot be decrypted: then there is nothing to revoke. */
async function currentToken(
  { codehostTokens, signal, log, requestId }: RequestContext,
  id: UserId,
): Promise<string | null> {
  try {
    return (await codehostTokens?.of(id, signal)) ?? null;
  } catch (error) {
    if (toAppError(error).kind !== 'conflict') {
      log.warn({ request_id: requestId, err: error }, 'a token to be revoked could not be decrypted');
    }
    return null;
  }
}
