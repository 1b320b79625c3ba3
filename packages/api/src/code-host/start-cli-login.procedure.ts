import { AppError, loginCodeOf } from '@sluice/core';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { configuredCodeHost } from './configured-code-host.ts';
import { createFlowTokens } from './flow-tokens.ts';
import { type AskingProgram, programPage, programPageHeaders } from './program-page.ts';

export const startCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/cli',
      tags: ['codehost'],
      summary: 'Ask users whether a program on their machine may log in with their account at the code host',
      description:
        'A page to open in a browser. It shows the same code as the program. A click there (`confirm_url`) leads to the code host; after the sign-in the browser goes to `http://127.0.0.1:PORT/?grant=…&state=…`, or with `error` in place of `grant`, and the program exchanges the grant with `POST /api/auth/codehost/cli`. The browser itself is not logged in. 403 when another page leads here.',
    },
    limit: 'start_codehost_login',
    text: {
      type: 'text/html',
      description: 'The page.',
      text: (output: AskingProgram) => programPage(output),
      headers: programPageHeaders,
    },
    refusals: ['origin_refused', 'codehost_not_configured'],
  })
  .input(
    z.strictObject({
      port: queryInteger({ min: 1_024, max: 65_535 }).describe('The port on 127.0.0.1 at which the program listens.'),
      challenge: z
        .string()
        .regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256')
        .describe("Base64url of the SHA-256 of the program's verifier."),
      state: z
        .string()
        .regex(/^[\w-]{16,128}$/, 'must be 16 to 128 of A-Z, a-z, 0-9, - and _')
        .describe('Returned unchanged, so that the program recognizes its own sign-in.'),
    }),
  )
  .output(
    z.object({
      code: z.string().describe('The code to compare, derived from the challenge.'),
      confirm_url: z
        .url()
        .describe(
          'The target of the click, valid for ten minutes. At PUBLIC_URL, because cookies belong to a host name.',
        ),
    }),
  )
  .query(async ({ ctx, input }) => {
    configuredCodeHost(ctx);
    refuseOtherPages(ctx.head.fetchSite);
    const { publicUrl, sessionSecret } = ctx.options;
    const program = await createFlowTokens(sessionSecret).sealProgram(input);
    const confirm_url = `${publicUrl.origin}/api/auth/codehost/cli/confirm/${program}`;
    return { code: loginCodeOf(input.challenge), confirm_url };
  });

/** A link on another page is a sign of phishing. */
function refuseOtherPages(fetchSite: string | undefined): void {
  if (fetchSite === undefined || fetchSite === 'none' || fetchSite === 'same-origin') return;
  const detail =
    'Another page has sent the browser here. If your own program wants to log in, type or paste its address.';
  throw new AppError('origin_refused', { detail });
}
