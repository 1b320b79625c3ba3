import { parseModelName } from '@sluice/agents';
import type { ServerFacts } from '@sluice/api';
import type { Config } from '../config/parse-config.ts';

/** What `GET /api/server` tells of a configuration. It holds no secret, no path and no address of a model's server. */
export function factsOf({ models, sandbox, codehost, gateTimeoutMs }: Config, commit: string | null): ServerFacts {
  const { triage, plan, implement, review } = models.byStage;
  const of = (names: readonly string[]) => ({
    names,
    builtin: names.every((name) => parseModelName(name)?.provider === 'builtin'),
  });
  return {
    commit,
    models: { triage: of(triage), plan: of(plan), implement: of(implement), review: of(review) },
    embeddingModel: models.embedding,
    sandbox,
    codehostUrl: codehost?.url ?? null,
    gateTimeoutMs: gateTimeoutMs === 0 ? null : gateTimeoutMs,
  };
}
