import {
  baseUrlOf,
  MODEL_FORMS,
  type ModelAccess,
  type ModelProvider,
  modelProviders,
  type ProviderNames,
  providerNames,
} from './model-access.ts';

/** A configured name, taken apart. */
export type ModelName =
  | { readonly provider: 'builtin' }
  | { readonly provider: ModelProvider /** The provider's name for it. */; readonly model: string };

/** The name of a model that a provider serves. */
export type HostedName = Extract<ModelName, { provider: ModelProvider }>;

/** The provider ends at the first slash: what follows may hold further ones, and colons. */
const NAME = /^([a-z]+)\/([\x21-\x7e]{1,200})$/;

/** Takes `builtin` or `PROVIDER/NAME` apart; null for anything else. */
export function parseModelName(name: string): ModelName | null {
  if (name === 'builtin') return { provider: 'builtin' };
  const [, prefix, model] = NAME.exec(name) ?? [];
  const provider = modelProviders.find((known) => known === prefix);
  return provider === undefined || model === undefined ? null : { provider, model };
}

/**
 * The problem that keeps a configured model from being used, as the end of a sentence that begins with its name, e.g.
 * `needs OPENAI_API_KEY`; null when there is none.
 */
export function modelNameProblem(name: string, access: ModelAccess): string | null {
  const parsed = parseModelName(name);
  if (parsed === null) return `is not a model; use builtin, ${MODEL_FORMS}`;
  return parsed.provider === 'builtin' ? null : accessProblem(parsed.provider, access);
}

/** The same for a model that makes vectors. */
export function embeddingModelProblem(name: string, access: ModelAccess): string | null {
  const parsed = parseModelName(name);
  if (parsed === null || parsed.provider === 'builtin')
    return 'is not an embedding model; use openai/NAME or compatible/NAME';
  if (parsed.provider === 'anthropic')
    return 'cannot be: Anthropic has no embedding models; use openai/NAME or compatible/NAME';
  if (!embeds(parsed.provider))
    return `cannot be: Sluice asks ${providerNames[parsed.provider].shown} for no vectors; use openai/NAME or compatible/NAME`;
  return accessProblem(parsed.provider, access);
}

/** Whether the provider is asked for vectors too. */
export function embeds(provider: ModelProvider): provider is 'openai' | 'compatible' {
  return provider === 'openai' || provider === 'compatible';
}

function accessProblem(provider: ModelProvider, access: ModelAccess): string | null {
  const { keyVariable, urlVariable, address }: ProviderNames = providerNames[provider];
  const baseUrl = baseUrlOf(provider, access);
  if (baseUrl === null) return `needs ${urlVariable}, ${address}`;
  if (!isHttpUrl(baseUrl)) return `needs ${urlVariable} to be an http(s) address`;
  // Whatever cannot be sent in a header fails at every call, with an error that shows the key.
  const key = access.keys[provider];
  if (key !== undefined && !/^[\x21-\x7e]*$/.test(key)) return `needs ${keyVariable} without spaces and line breaks`;
  return provider === 'compatible' || key ? null : `needs ${keyVariable}`;
}

function isHttpUrl(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
