import * as z from 'zod';
import { askForProgram, askingProgram, askingProgramWire } from '../identity/sign-in/ask-for-program.ts';
import { type AskingProgram, programPage, programPageHeaders } from '../identity/sign-in/program-page.ts';
import { codeHostService } from '../identity/sign-in/sign-in-service.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { configuredCodeHost } from './configured-code-host.ts';

const codeHostCommand = { option: '--codehost', account: 'your account at the code host' };

export const startCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/cli',
      operationId: 'auth-startCodehostCliLogin',
      tags: ['codehost'],
      summary: 'Ask users whether a program on their machine may log in with their account at the code host',
      description:
        'A page to open in a browser. It shows the same code as the program. A click there (`confirm_url`) leads to the code host; after the sign-in the browser goes to `http://127.0.0.1:PORT/?grant=…&state=…`, or with `error` in place of `grant`, and the program exchanges the grant with `POST /api/auth/codehost/cli`. The browser itself is not logged in. 403 when another page leads here.',
    },
    limit: 'start_codehost_login',
    text: {
      type: 'text/html',
      description: 'The page.',
      text: (output: AskingProgram) => programPage(output, codeHostCommand),
      headers: programPageHeaders,
    },
    refusals: ['origin_refused', 'codehost_not_configured'],
  })
  .input(z.strictObject(askingProgram))
  .output(askingProgramWire)
  .query(({ ctx, input }) => {
    configuredCodeHost(ctx);
    return askForProgram(ctx, { service: codeHostService, path: '/api/auth/codehost/cli/confirm' }, input);
  });
