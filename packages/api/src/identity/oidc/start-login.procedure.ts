import * as z from 'zod';
import { publicProcedure } from '../../procedure/procedure.ts';
import { refuseCrossSite } from '../session/refuse-cross-site.ts';
import { beginOidcFlow } from './begin-oidc-flow.ts';
import { configuredProvider, providerParameter } from './configured-provider.ts';

export const startOidcLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/oidc/{provider}',
      operationId: 'auth-startOidcLogin',
      tags: ['oidc'],
      summary: 'Start a login at an OpenID provider, or link an account there',
      description:
        'Open `authorization_url` in the same browser within ten minutes. With a session this links the account to its user; without one it logs in.',
    },
    limit: 'start_oidc_login',
    headers: {
      'Set-Cookie': "The browser's half of the sign-in, as `oidc_flow_…` (`__Host-oidc_flow_…` under https).",
    },
    refusals: ['cross_site_login', 'oidc_provider_not_found', 'oidc_unavailable', 'not_ready'],
  })
  .input(z.strictObject({ provider: providerParameter }))
  .output(z.object({ authorization_url: z.url() }))
  .mutation(async ({ ctx, input }) => {
    refuseCrossSite(ctx);
    const { provider } = configuredProvider(ctx, input.provider);
    const actor = await ctx.head.actor();
    const start = { purpose: 'browser', sessionId: actor?.session?.id ?? null } as const;
    return { authorization_url: await beginOidcFlow(ctx, provider, start) };
  });
