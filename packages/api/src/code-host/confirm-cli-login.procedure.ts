import * as z from 'zod';
import { confirmedProgram, confirmProgram } from '../identity/sign-in/ask-for-program.ts';
import { codeHostService } from '../identity/sign-in/sign-in-service.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { beginCodeHostFlow } from './begin-code-host-flow.ts';

/**
 * The code host does not ask again for a known application. Without this click, opening a link would be enough to hand a
 * login grant to a program on the user's machine, with a challenge chosen by the sender of the link.
 */
export const confirmCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost/cli/confirm/{program}',
      operationId: 'auth-confirmCodehostCliLogin',
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
  .input(z.strictObject({ program: confirmedProgram }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const program = await confirmProgram(ctx, codeHostService, input.program);
    ctx.appendHeader('Location', await beginCodeHostFlow(ctx, { purpose: 'program', program }));
  });
