import { AppError } from '@sluice/core';
import * as z from 'zod';
import { text } from '../input/text.ts';
import { publicProcedure } from '../procedure/procedure.ts';

const parameter = text({ max: 4_000, line: true }).optional();

export const finishCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/callback',
      tags: ['codehost'],
      summary: 'Where the code host sends the browser back to',
      description: '409 where the operator has configured no code host.',
    },
    status: 302,
    headers: { Location: 'Where the browser goes on.' },
    refusals: [409],
  })
  // Loose: a provider may add parameters of its own, such as `iss` (RFC 9207).
  .input(z.looseObject({ code: parameter, state: parameter, error: parameter }))
  .output(z.void())
  .query(() => {
    throw new AppError('codehost_not_configured');
  });
