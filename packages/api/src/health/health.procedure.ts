import { AppError, type HealthCheck } from '@sluice/core';
import * as z from 'zod';
import { withinDeadline } from '../deadline/within-deadline.ts';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';

const CHECK_MS = 2_000;
const RETRY_AFTER_MS = 5_000;

const health = z.enum(['up', 'down']);
const checkWire = z.object({ status: health, latency_ms: z.int() });
const readinessWire = z.object({
  status: health,
  checks: z.object({ database: checkWire, cache: checkWire, vector_store: checkWire }),
});

export const getReadiness = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/health/ready',
      tags: ['health'],
      summary: 'Whether the database, the cache store and the vector store can be reached',
      description: 'On 503 the body is an error that has `status` and `checks` as well. Each check ends within 2 s.',
    },
    refusals: [503],
  })
  .input(noInput)
  .output(readinessWire)
  .query(async ({ ctx }) => {
    const [database, cache, vectorStore] = await Promise.all([
      look(ctx.health.database),
      look(ctx.health.cache),
      look(ctx.health.vector_store),
    ]);
    const checks = { database, cache, vector_store: vectorStore };
    const down = Object.entries(checks).flatMap(([name, check]) => (check.status === 'up' ? [] : [name]));
    if (down.length === 0) return { status: 'up', checks };
    throw new AppError('not_ready', {
      detail: `Not reachable: ${down.join(', ')}.`,
      retryAfterMs: RETRY_AFTER_MS,
      body: { status: 'down', checks },
    });
  });

/** Why a check failed is for the log of what it checks; the probe says only that it did. */
async function look(check: HealthCheck): Promise<z.infer<typeof checkWire>> {
  const begun = performance.now();
  const status = await withinDeadline({ ms: CHECK_MS }, (signal) => check.check(signal)).then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return { status, latency_ms: Math.round(performance.now() - begun) };
}

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
