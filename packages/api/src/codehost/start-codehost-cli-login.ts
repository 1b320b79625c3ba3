import { AppError } from '@sluice/core';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { atPublicUrl } from './at-public-url.ts';
import { beginFlow } from './begin-flow.ts';

export const startCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/cli',
      tags: ['codehost'],
      summary: 'Log a program on your own machine in, by your account at the code host',
      description:
        'A page to open in a browser. When you have signed in, the browser goes to `http://127.0.0.1:PORT/?grant=…&state=…`, or with `error` in place of `grant`; the program trades the grant by `POST /api/auth/codehost/cli`. The browser itself is not logged in. Opened by a person or a program alone: from another page it is 403.',
    },
    limit: 'start_codehost_login',
    status: 302,
    headers: {
      Location: "The code host; or PUBLIC_URL, where this was asked for by another of the machine's own names.",
      'Set-Cookie': "The sign-in's own half, as `codehost_flow_…`.",
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
  .output(z.void())
  .query(async ({ ctx, input }) => {
    refuseOtherPages(ctx.head.fetchSite);
    const path = `/api/auth/codehost/cli?${ctx.head.query}`;
    const elsewhere = atPublicUrl(ctx.options.publicUrl, { host: ctx.head.host, path });
    ctx.appendHeader('Location', elsewhere ?? (await beginFlow(ctx, { purpose: 'program', program: input })));
  });

/**
 * The code host asks nobody twice, so any page that could send a browser here would get the visitor's grant brought to a
 * port of his machine, where somebody else who uses the machine may listen, with a challenge of his own.
 */
function refuseOtherPages(fetchSite: string | undefined): void {
  if (fetchSite === undefined || fetchSite === 'none' || fetchSite === 'same-origin') return;
  const detail =
    'Another page has sent the browser here. If it is your own program that wants to log in, type or paste its address.';
  throw new AppError('origin_refused', { detail });
}
