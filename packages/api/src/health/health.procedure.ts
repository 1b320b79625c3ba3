import { AppError, type HealthCheck, withDeadline } from '@sluice/core';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';

const CHECK_MS = 2_000;
const RETRY_AFTER_MS = 5_000;

const health = z.enum(['up', 'down']);
const checkWire = z.object({ status: health, latency_ms: z.int() });
export const readinessWire = z.object({
  status: health,
  checks: z.object({ database: checkWire, cache: checkWire, vector_store: checkWire }),
});

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
    const [database, cache, vectorStore] = await Promise.all([
      probe(ctx.health.database),
      probe(ctx.health.cache),
      probe(ctx.health.vector_store),
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

/** The reason of a failure belongs in the log of the checked service; the probe answers only up or down. */
async function probe(check: HealthCheck): Promise<z.infer<typeof checkWire>> {
  const startedAt = performance.now();
  const status = await withDeadline({ ms: CHECK_MS }, (signal) => check.check(signal)).then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return { status, latency_ms: Math.round(performance.now() - startedAt) };
}

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
