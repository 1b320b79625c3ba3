import { AppError } from '@sluice/core';
import * as z from 'zod';
import { allowedOrigins } from '../http/origins.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { beginFlow } from './begin-flow.ts';
import { createFlowTokens } from './flow-tokens.ts';

/**
 * The code host does not ask again for a known application. Without this click, opening a link would be enough to hand a
 * login grant to a program on the user's machine, with a challenge chosen by the sender of the link.
 */
export const confirmCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost/cli/confirm/{program}',
      tags: ['codehost'],
      summary: 'Let the program shown on the page log in',
      description:
        'Only for the page of `GET /api/auth/codehost/cli`: 403 from any other origin, including those of `CORS_ORIGINS`. Redirects to the code host.',
    },
    limit: 'start_codehost_login',
    status: 302,
    headers: {
      Location: 'The code host.',
      'Set-Cookie': "The browser's half of the sign-in, as `codehost_flow_…` (`__Host-codehost_flow_…` under https).",
    },
    refusals: ['codehost_state_invalid', 'codehost_not_configured', 'not_ready'],
  })
  .input(z.strictObject({ program: z.string().max(4_000).describe('As `confirm_url` of the page has it.') }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    refuseOtherOrigins(ctx);
    const program = await createFlowTokens(ctx.options.sessionSecret).openProgram(input.program);
    if (program === null) throw new AppError('codehost_state_invalid');
    ctx.appendHeader('Location', await beginFlow(ctx, { purpose: 'program', program }));
  });

/** The click must come from our own page, also over tRPC and where other origins are allowed. */
function refuseOtherOrigins({ head: { origin }, options }: RequestContext): void {
  if (origin === undefined || allowedOrigins({ ...options, corsOrigins: [] }).has(origin)) return;
  throw new AppError('origin_refused', { detail: 'Only the page that shows the code can log a program in.' });
}
