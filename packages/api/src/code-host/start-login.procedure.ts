import * as z from 'zod';
import { refuseCrossSite } from '../identity/session/refuse-cross-site.ts';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { beginCodeHostFlow } from './begin-code-host-flow.ts';

export const startCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost',
      operationId: 'auth-startCodehostLogin',
      tags: ['codehost'],
      summary: 'Start a login with an account at the code host, or link one',
      description:
        'Open `authorization_url` in the same browser within ten minutes. With a session this links the account to its user; without one it logs in. 409 where no code host is configured.',
    },
    limit: 'start_codehost_login',
    headers: {
      'Set-Cookie': "The browser's half of the sign-in, as `codehost_flow_…` (`__Host-codehost_flow_…` under https).",
    },
    refusals: ['cross_site_login', 'codehost_not_configured', 'not_ready'],
  })
  .input(noInput)
  .output(z.object({ authorization_url: z.url() }))
  .mutation(async ({ ctx }) => {
    refuseCrossSite(ctx);
    const actor = await ctx.head.actor();
    const start = { purpose: 'browser', sessionId: actor?.session?.id ?? null } as const;
    return { authorization_url: await beginCodeHostFlow(ctx, start) };
  });
