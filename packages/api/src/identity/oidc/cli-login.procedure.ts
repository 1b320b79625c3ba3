import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import * as z from 'zod';
import { publicProcedure } from '../../procedure/procedure.ts';
import { startSession } from '../session/start-session.ts';
import {
  askForProgram,
  askingProgram,
  askingProgramWire,
  confirmedProgram,
  confirmProgram,
} from '../sign-in/ask-for-program.ts';
import { grantExample, grantToExchange, takeGrant } from '../sign-in/login-grant.ts';
import { type AskingProgram, programPage, programPageHeaders } from '../sign-in/program-page.ts';
import { oidcService } from '../sign-in/sign-in-service.ts';
import { beginOidcFlow } from './begin-oidc-flow.ts';
import { configuredProvider, providerParameter } from './configured-provider.ts';

const oidcCommand = { option: '--sso', account: 'your account at the single sign-on' };

export const startOidcCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/oidc/{provider}/cli',
      operationId: 'auth-startOidcCliLogin',
      tags: ['oidc'],
      summary: 'Ask users whether a program on their machine may log in with their account at an OpenID provider',
      description:
        'A page to open in a browser, as `GET /api/auth/codehost/cli` is: it shows the same code as the program, and a click there (`confirm_url`) leads to the provider. The program exchanges the grant with `POST /api/auth/oidc/{provider}/cli`.',
    },
    limit: 'start_oidc_login',
    text: {
      type: 'text/html',
      description: 'The page.',
      text: (output: AskingProgram) => programPage(output, oidcCommand),
      headers: programPageHeaders,
    },
    refusals: ['origin_refused', 'oidc_provider_not_found'],
  })
  .input(z.strictObject({ provider: providerParameter, ...askingProgram }))
  .output(askingProgramWire)
  .query(({ ctx, input: { provider: id, ...program } }) => {
    const { provider } = configuredProvider(ctx, id);
    return askForProgram(ctx, { service: oidcService(provider), path: `/api/auth/oidc/${id}/cli/confirm` }, program);
  });

/** Confirms the login of a program. Without this click, opening a link would be enough to log a program in. */
export const confirmOidcCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/oidc/{provider}/cli/confirm/{program}',
      operationId: 'auth-confirmOidcCliLogin',
      tags: ['oidc'],
      summary: 'Let the program shown on the page log in',
      description:
        'Only for the page of `GET /api/auth/oidc/{provider}/cli`: 403 from any other origin, including those of `CORS_ORIGINS`. Redirects to the provider.',
    },
    limit: 'start_oidc_login',
    status: 302,
    headers: {
      Location: 'The provider.',
      'Set-Cookie': "The browser's half of the sign-in, as `oidc_flow_…` (`__Host-oidc_flow_…` under https).",
    },
    refusals: ['oidc_state_invalid', 'oidc_provider_not_found', 'oidc_unavailable', 'not_ready'],
  })
  .input(z.strictObject({ provider: providerParameter, program: confirmedProgram }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const { provider } = configuredProvider(ctx, input.provider);
    const program = await confirmProgram(ctx, oidcService(provider), input.program);
    ctx.appendHeader('Location', await beginOidcFlow(ctx, provider, { purpose: 'program', program }));
  });

export const finishOidcCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/oidc/{provider}/cli',
      operationId: 'auth-finishOidcCliLogin',
      tags: ['oidc'],
      summary: 'Exchange the grant of a sign-in at an OpenID provider for a session',
      description: 'A grant is valid once, for one minute, and only with its verifier.',
    },
    limit: 'start_oidc_login',
    refusals: ['oidc_state_invalid', 'oidc_provider_not_found', 'account_disabled', 'not_ready'],
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    example: { body: grantExample },
  })
  .input(z.strictObject({ provider: providerParameter, ...grantToExchange }))
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    const { provider } = configuredProvider(ctx, input.provider);
    const { issuer } = provider;
    const { user, grant } = await takeGrant(ctx, { ...oidcService(provider), issuer }, input);
    await startSession(ctx, user, { by: 'oidc', provider: grant.provider ?? { issuer, sid: null } });
    return toUserProfileWire(user);
  });
