import { AppError } from '@sluice/core';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';

export const startCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost',
      tags: ['codehost'],
      summary: 'Begin to log in by, or to link, an account at the code host',
      description: 'Go to `authorization_url` with the browser. 409 where the operator has configured no code host.',
    },
    refusals: [409],
  })
  .input(noInput)
  .output(z.object({ authorization_url: z.url() }))
  .mutation(() => {
    throw new AppError('codehost_not_configured');
  });
