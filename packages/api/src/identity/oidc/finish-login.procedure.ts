import * as z from 'zod';
import { publicProcedure } from '../../procedure/procedure.ts';
import { answerCallback, callbackParameter } from '../sign-in/answer-callback.ts';
import { oidcService } from '../sign-in/sign-in-service.ts';
import { configuredProvider, providerParameter } from './configured-provider.ts';
import { finishOidcFlow } from './finish-oidc-flow.ts';

export const finishOidcLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/oidc/{provider}/callback',
      operationId: 'auth-finishOidcLogin',
      tags: ['oidc'],
      summary: 'Complete a sign-in when the browser returns from an OpenID provider',
      description:
        'Logs in (`/issues`), links (`/settings?linked=PROVIDER`), or delivers a grant to the waiting program. 400 for a sign-in that is invalid, expired, used or from another browser; 403 when it was refused, or the account is in no group that may enter; 409 for an account linked to another user; 502 when the provider fails or sends a token that is not valid. A browser that accepts HTML is redirected to `/login?error=CODE` or `/settings?error=CODE` instead.',
    },
    status: 302,
    headers: {
      Location: 'The page to continue at.',
      'Set-Cookie':
        'The session, in the cookie `access_token`, after a login; and the removal of `oidc_flow_…` (`__Host-oidc_flow_…` under https).',
    },
    refusals: [
      'oidc_state_invalid',
      'session_missing',
      'oidc_denied',
      'oidc_group_required',
      'registration_closed',
      'account_disabled',
      'oidc_provider_not_found',
      'oidc_account_taken',
      'oidc_linked_to_another',
      'oidc_unavailable',
      'oidc_token_invalid',
      'not_ready',
    ],
  })
  // Loose: a provider may add parameters, such as `session_state`.
  .input(
    z.looseObject({
      provider: providerParameter,
      code: callbackParameter.describe('The grant of the provider.'),
      state: callbackParameter.describe('The `state` with which the sign-in was started.'),
      iss: callbackParameter.describe('The provider that answers (RFC 9207).'),
      error: callbackParameter.describe('Why the provider granted nothing.'),
    }),
  )
  .output(z.void())
  .query(({ ctx, input }) => {
    const configured = configuredProvider(ctx, input.provider);
    const finish = { procedure: 'auth.oidc.finish', finish: finishOidcFlow.bind(null, ctx, configured) };
    return answerCallback(ctx, oidcService(configured.provider), finish);
  });
