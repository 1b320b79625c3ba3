import { AppError } from '@sluice/core';
import * as z from 'zod';
import { allowedOrigins } from '../http/origins.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { beginFlow } from './begin-flow.ts';
import { createFlowTokens } from './flow-tokens.ts';

/**
 * The code host asks nobody twice: without this click any link that somebody opens would bring a grant of his to a program
 * that waits on his machine, with a challenge of whoever sent the link.
 */
export const confirmCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost/cli/confirm/{program}',
      tags: ['codehost'],
      summary: 'Let the program log in that the page has shown',
      description:
        'For the page of `GET /api/auth/codehost/cli` alone: from any other origin, those of `CORS_ORIGINS` included, it is 403. Leads to the code host.',
    },
    limit: 'start_codehost_login',
    status: 302,
    headers: {
      Location: 'The code host.',
      'Set-Cookie': "The sign-in's own half, as `codehost_flow_…` (`__Host-codehost_flow_…` under https).",
    },
    refusals: [403, 409],
  })
  .input(z.strictObject({ program: z.string().max(4_000) }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    refuseOtherOrigins(ctx);
    const program = await createFlowTokens(ctx.options.sessionSecret).openProgram(input.program);
    if (program === null) throw new AppError('codehost_state_invalid');
    ctx.appendHeader('Location', await beginFlow(ctx, { purpose: 'program', program }));
  });

/** The click is made on our own page, whoever else may write, and by whichever transport it comes. */
function refuseOtherOrigins({ head: { origin }, options }: RequestContext): void {
  if (origin === undefined || allowedOrigins({ ...options, corsOrigins: [] }).has(origin)) return;
  throw new AppError('origin_refused', { detail: 'Only the page that shows the code lets a program in.' });
}
