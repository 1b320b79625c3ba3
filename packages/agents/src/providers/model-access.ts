/** The provider of a model. `compatible` is any server that speaks OpenAI's chat completions. */
export const modelProviders = ['anthropic', 'openai', 'compatible'] as const;

export type ModelProvider = (typeof modelProviders)[number];

/** How the providers are reached. Nothing of it is ever read from the environment. */
export interface ModelAccess {
  readonly keys: Readonly<Partial<Record<ModelProvider, string>>>;
  /** With the version's path, e.g. `https://api.anthropic.com/v1`; a vendor's own address where it is not given. */
  readonly baseUrls: Readonly<Partial<Record<ModelProvider, string>>>;
}

interface ProviderNames {
  readonly shown: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** Null where there is none to fall back to. */
  readonly baseUrl: string | null;
}

/** What people call a provider, and the variables that configure it. */
export const providerNames = {
  anthropic: {
    shown: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
  },
  openai: {
    shown: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
  },
  compatible: {
    shown: 'the model server',
    keyVariable: 'MODEL_API_KEY',
    urlVariable: 'MODEL_BASE_URL',
    baseUrl: null,
  },
} as const satisfies Record<ModelProvider, ProviderNames>;

/** The base URL of a provider; null when that must be configured and is not. */
export function baseUrlOf(provider: ModelProvider, { baseUrls }: ModelAccess): string | null {
  return baseUrls[provider] || providerNames[provider].baseUrl;
}
