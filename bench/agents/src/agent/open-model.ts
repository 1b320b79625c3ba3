import {
  baseUrlOf,
  createModels,
  type ModelChoice,
  type ModelProvider,
  modelNameProblem,
  parseModelName,
  readModelTable,
} from '@sluice/agents';
import { loadConfig } from '@sluice/server';
import { UsageError } from '../usage/usage-error.ts';
import type { BenchModel } from './bench-agent.ts';

/** No model but the one of the run works in a stage. */
const NO_STAGES = Object.fromEntries(['TRIAGE', 'PLAN', 'IMPLEMENT', 'REVIEW'].map((stage) => [`MODEL_${stage}`, '']));

/**
 * The model of a run, for the service and for the baseline alike, which thinks as the service's coder does, with the keys
 * of the configuration that the service reads (environment and the user's file).
 *
 * @param name e.g. `anthropic/claude-sonnet-4-5`
 * @param settings further variables of the configuration, which take precedence
 * @throws UsageError for a name that stands for no single model
 * @throws ConfigError when the model's key or address is missing
 */
export function openModel(name: string, settings: Readonly<Record<string, string>> = {}): BenchModel {
  const environment = { ...NO_STAGES, ...settings, MODEL: name };
  const { models } = loadConfig({ dotEnv: false, overrides: environment });
  const provider = hostedProvider(name);
  const { apiKey, baseUrl } = models[provider];
  const access = {
    keys: apiKey === null ? {} : { [provider]: apiKey },
    baseUrls: baseUrl === null ? {} : { [provider]: baseUrl },
  };
  const choice = createModels({
    ...access,
    ...(models.settingsFile !== null && { table: readModelTable(models.settingsFile) }),
    effort: models.effort,
  }).choice(name, 'implement');
  return { name, provider, url: baseUrlOf(provider, access) ?? '', choice, environment };
}

/**
 * A model that is not asked, only for its price: a person may want to know that before they have a key.
 *
 * @throws UsageError for a name that stands for no single model, and for an address that is missing
 */
export function unaskedModel(name: string): ModelChoice {
  const { models } = loadConfig({ dotEnv: false, overrides: { ...NO_STAGES, MODEL: '' } });
  const provider = hostedProvider(name);
  const { baseUrl, apiKey } = models[provider];
  const access = {
    keys: { [provider]: apiKey ?? 'none' },
    baseUrls: baseUrl === null ? {} : { [provider]: baseUrl },
  };
  const problem = modelNameProblem(name, access);
  if (problem !== null) throw new UsageError(`The model ${name} ${problem}.`);
  const table = models.settingsFile === null ? {} : readModelTable(models.settingsFile);
  return createModels({ ...access, table }).choice(name);
}

function hostedProvider(name: string): ModelProvider {
  const provider = parseModelName(name)?.provider;
  if (provider !== undefined && provider !== 'builtin') return provider;
  throw new UsageError(`"${name}" is not a model that can be asked. Give one, such as anthropic/claude-sonnet-4-5.`);
}
