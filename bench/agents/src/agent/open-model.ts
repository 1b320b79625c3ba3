import { baseUrlOf, createModels, parseModelName, readModelTable } from '@sluice/agents';
import { loadConfig } from '@sluice/server';
import { UsageError } from '../usage/usage-error.ts';
import type { BenchModel } from './bench-agent.ts';

/**
 * The model of a run, for the service and for the baseline alike, with the keys of the configuration that the service
 * reads (environment and the user's file).
 *
 * @param name e.g. `anthropic/claude-sonnet-4-5`
 * @param settings further variables of the configuration, which take precedence
 * @throws UsageError for a name that stands for no single model
 * @throws ConfigError when the model's key or address is missing
 */
export function openModel(name: string, settings: Readonly<Record<string, string>> = {}): BenchModel {
  const stages = Object.fromEntries(['TRIAGE', 'PLAN', 'IMPLEMENT', 'REVIEW'].map((stage) => [`MODEL_${stage}`, '']));
  const environment = { ...stages, ...settings, MODEL: name };
  const { models } = loadConfig({ dotEnv: false, overrides: environment });
  const provider = parseModelName(name)?.provider;
  if (provider === undefined || provider === 'builtin')
    throw new UsageError(`"${name}" is not a model that can be asked. Give one, such as anthropic/claude-sonnet-4-5.`);
  const { apiKey, baseUrl } = models[provider];
  const access = {
    keys: apiKey === null ? {} : { [provider]: apiKey },
    baseUrls: baseUrl === null ? {} : { [provider]: baseUrl },
  };
  const choice = createModels({
    ...access,
    ...(models.settingsFile !== null && { table: readModelTable(models.settingsFile) }),
  }).choice(name);
  return { name, provider, url: baseUrlOf(provider, access) ?? '', choice, environment };
}
