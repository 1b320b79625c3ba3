import { baseUrlOf, parseModelName } from '@sluice/agents';
import type { ModelSettings } from '../config/model-settings.ts';
import { accessOf } from './open-models.ts';

/** An API server of configured models. */
export interface ModelServer {
  readonly provider: string;
  readonly address: string;
  readonly hasKey: boolean;
}

/** The API servers of all configured models, without duplicates. */
export function modelServers(settings: ModelSettings): readonly ModelServer[] {
  const names = [...Object.values(settings.byStage).flat(), settings.embedding ?? 'builtin'];
  const providers = new Set(names.map((name) => parseModelName(name)?.provider ?? 'builtin'));
  const hosted = [...providers].filter((provider) => provider !== 'builtin');
  return hosted.map((provider) => ({
    provider,
    address: baseUrlOf(provider, accessOf(settings)) ?? '',
    hasKey: settings[provider].apiKey !== null,
  }));
}
