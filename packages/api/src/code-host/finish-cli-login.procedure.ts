import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import * as z from 'zod';
import { startSession } from '../identity/session/start-session.ts';
import { grantExample, grantToExchange, takeGrant } from '../identity/sign-in/login-grant.ts';
import { codeHostService } from '../identity/sign-in/sign-in-service.ts';
import { publicProcedure } from '../procedure/procedure.ts';

export const finishCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost/cli',
      operationId: 'auth-finishCodehostCliLogin',
      tags: ['codehost'],
      summary: 'Exchange the grant of a sign-in at the code host for a session',
      description: 'A grant is valid once, for one minute, and only with its verifier.',
    },
    limit: 'start_codehost_login',
    refusals: ['codehost_state_invalid', 'account_disabled', 'not_ready'],
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    example: { body: grantExample },
  })
  .input(z.strictObject(grantToExchange))
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    const { user } = await takeGrant(ctx, { ...codeHostService, issuer: null }, input);
    await startSession(ctx, user, { by: 'codehost' });
    return toUserProfileWire(user);
  });
