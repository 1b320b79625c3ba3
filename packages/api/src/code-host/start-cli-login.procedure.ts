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
      summary: 'Ask a person whether a program on his own machine may log in, by his account at the code host',
      description:
        'A page to open in a browser, which shows the code that the program shows. A click there (`confirm_url`) leads to the code host, and when the person has signed in, the browser goes to `http://127.0.0.1:PORT/?grant=…&state=…`, or with `error` in place of `grant`; the program trades the grant by `POST /api/auth/codehost/cli`. The browser itself is not logged in. Opened by a person or a program alone: from another page it is 403.',
    },
    limit: 'start_codehost_login',
    text: {
      type: 'text/html',
      description: 'The page.',
      text: (output: AskingProgram) => programPage(output),
      headers: programPageHeaders,
    },
    refusals: [403, 409],
  })
  .input(
    z.strictObject({
      port: queryInteger({ min: 1_024, max: 65_535 }).describe('Where the program listens on 127.0.0.1.'),
      challenge: z
        .string()
        .regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256')
        .describe("Base64url of the SHA-256 of the program's verifier."),
      state: z
        .string()
        .regex(/^[\w-]{16,128}$/, 'must be 16 to 128 of A-Z, a-z, 0-9, - and _')
        .describe('Given back as it is, so that the program knows its own sign-in.'),
    }),
  )
  .output(
    z.object({
      code: z.string().describe('Of the challenge: what the person compares.'),
      confirm_url: z.url().describe('Where the click goes. For ten minutes, at PUBLIC_URL: cookies go by name.'),
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

/** Nobody comes here by a click in another page but somebody who is being led. The page behind asks him all the same. */
function refuseOtherPages(fetchSite: string | undefined): void {
  if (fetchSite === undefined || fetchSite === 'none' || fetchSite === 'same-origin') return;
  const detail =
    'Another page has sent the browser here. If it is your own program that wants to log in, type or paste its address.';
  throw new AppError('origin_refused', { detail });
}
