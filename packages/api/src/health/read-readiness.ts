import { withDeadline } from '@sluice/core/async';
import type { HealthCheck } from '@sluice/core/operation';
import * as z from 'zod';
import type { HealthChecks } from '../service/api-deps.ts';

const CHECK_MS = 2_000;

const health = z.enum(['up', 'down']);
const checkWire = z.object({ status: health, latency_ms: z.int() });
export const readinessWire = z.object({
  status: health,
  checks: z.object({ database: checkWire, cache: checkWire, vector_store: checkWire }),
});
type Readiness = z.infer<typeof readinessWire>;

/** Checks everything that the service depends on, at the same time. Never throws. */
export async function readReadiness(of: HealthChecks): Promise<Readiness> {
  const [database, cache, vector_store] = await Promise.all([
    probe(of.database),
    probe(of.cache),
    probe(of.vector_store),
  ]);
  const checks = { database, cache, vector_store };
  const isUp = Object.values(checks).every(({ status }) => status === 'up');
  return { status: isUp ? 'up' : 'down', checks };
}

/** The reason of a failure belongs in the log of the checked service; the probe answers only up or down. */
async function probe(check: HealthCheck): Promise<z.infer<typeof checkWire>> {
  const startedAt = performance.now();
  const status = await withDeadline({ ms: CHECK_MS }, (signal) => check.check(signal)).then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return { status, latency_ms: Math.round(performance.now() - startedAt) };
}
