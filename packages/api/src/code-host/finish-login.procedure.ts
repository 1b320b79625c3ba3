import * as z from 'zod';
import { answerCallback, callbackParameter } from '../identity/sign-in/answer-callback.ts';
import { codeHostService } from '../identity/sign-in/sign-in-service.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { configuredCodeHost } from './configured-code-host.ts';
import { finishFlow } from './finish-flow.ts';

export const finishCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/callback',
      operationId: 'auth-finishCodehostLogin',
      tags: ['codehost'],
      summary: 'Complete a sign-in when the browser returns from the code host',
      description:
        'Logs in (`/issues`), links (`/settings?linked=codehost`), or delivers a grant to the waiting program. 400 for a sign-in that is invalid, expired, used or from another browser; 403 when it was refused at the code host; 409 for an account linked to another user. A browser that accepts HTML is redirected to `/login?error=CODE` or `/settings?error=CODE` instead.',
    },
    status: 302,
    headers: {
      Location: 'The page to continue at.',
      'Set-Cookie':
        'The session, in the cookie `access_token`, after a login; and the removal of `codehost_flow_…` (`__Host-codehost_flow_…` under https).',
    },
    refusals: [
      'codehost_state_invalid',
      'session_missing',
      'codehost_denied',
      'registration_closed',
      'account_disabled',
      'codehost_not_configured',
      'codehost_account_taken',
      'codehost_linked_to_another',
      'codehost_unavailable',
      'not_ready',
    ],
  })
  // Loose: a provider may add parameters, such as `iss` (RFC 9207).
  .input(
    z.looseObject({
      code: callbackParameter.describe('The grant of the code host.'),
      state: callbackParameter.describe('The `state` with which the sign-in was started.'),
      error: callbackParameter.describe('Why the code host granted nothing.'),
    }),
  )
  .output(z.void())
  .query(({ ctx }) => {
    return answerCallback(ctx, codeHostService, {
      procedure: 'auth.codehost.finish',
      requireService: () => void configuredCodeHost(ctx),
      finish: (flow) => finishFlow(ctx, flow),
    });
  });
