import type { ApiOptions } from '../src/service/api-deps.ts';

const BUILTIN = { names: ['builtin'], builtin: true };

/** What a server without a model, a code host or an embedding model tells of itself. */
export const builtinFacts: ApiOptions['facts'] = {
  commit: null,
  models: { triage: BUILTIN, plan: BUILTIN, implement: BUILTIN, review: BUILTIN },
  embeddingModel: null,
  sandbox: 'bwrap',
  codehostUrl: null,
  gateTimeoutMs: 604_800_000,
};
