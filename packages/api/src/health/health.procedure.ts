import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { readinessWire, readReadiness } from './read-readiness.ts';

const RETRY_AFTER_MS = 5_000;

export const getReadiness = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/health/ready',
      tags: ['health'],
      summary: 'Check that the database, Redis and the vector store are reachable',
      description:
        'Readiness probe. On 503 the error body also has `status` (not in `application/problem+json`, where that is 503) and `checks`. Each check ends within 2 s.',
    },
    refusals: ['not_ready'],
  })
  .input(noInput)
  .output(readinessWire)
  .query(async ({ ctx }) => {
    const readiness = await readReadiness(ctx.health);
    if (readiness.status === 'up') return readiness;
    const down = Object.entries(readiness.checks).flatMap(([name, check]) => (check.status === 'up' ? [] : [name]));
    throw new AppError('not_ready', {
      detail: `Not usable: ${down.join(', ')}.`,
      retryAfterMs: RETRY_AFTER_MS,
      body: readiness,
    });
  });

export const getLiveness = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/health/live',
      tags: ['health'],
      summary: 'Check that the process answers',
      description: 'Liveness probe. Touches no other service.',
    },
  })
  .input(noInput)
  .output(z.object({ status: z.literal('up') }))
  .query(() => ({ status: 'up' }));
