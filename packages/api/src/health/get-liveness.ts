import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';

export const getLiveness = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/health/live',
      tags: ['health'],
      summary: 'Whether the process answers',
      description: 'Touches nothing else.',
    },
  })
  .input(noInput)
  .output(z.object({ status: z.literal('up') }))
  .query(() => ({ status: 'up' }));
