import { AppError } from '@sluice/core';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const unlinkCodehost = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/auth/codehost',
      tags: ['codehost'],
      summary: 'Unlink the account at the code host',
      description: '409 where the operator has configured no code host.',
    },
    status: 204,
    refusals: [409],
  })
  .input(noInput)
  .output(z.void())
  .mutation(() => {
    throw new AppError('codehost_not_configured');
  });
