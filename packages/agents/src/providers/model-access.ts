/**
 * The provider of a model, the word before the first slash of its name. `compatible` is any server that speaks OpenAI's chat
 * completions.
 */
export const modelProviders = [
  'anthropic',
  'openai',
  'google',
  'vertex',
  'azure',
  'bedrock',
  'openrouter',
  'deepseek',
  'groq',
  'cerebras',
  'mistral',
  'xai',
  'compatible',
] as const;

export type ModelProvider = (typeof modelProviders)[number];

/** The forms of a model's name, for messages. */
export const MODEL_FORMS = `${modelProviders
  .slice(0, -1)
  .map((provider) => `${provider}/NAME`)
  .join(', ')} or compatible/NAME`;

/** How the providers are reached. Nothing of it is ever read from the environment. */
export interface ModelAccess {
  readonly keys: Readonly<Partial<Record<ModelProvider, string>>>;
  /** With the version's path, e.g. `https://api.anthropic.com/v1`; a vendor's own address where it is not given. */
  readonly baseUrls: Readonly<Partial<Record<ModelProvider, string>>>;
}

export interface ProviderNames {
  readonly shown: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** Null where there is none to fall back to. */
  readonly baseUrl: string | null;
  /** What the address is of, where one must be given. */
  readonly address?: string;
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
  google: {
    shown: "Google's Gemini API",
    keyVariable: 'GOOGLE_API_KEY',
    urlVariable: 'GOOGLE_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  vertex: {
    shown: 'Vertex AI',
    keyVariable: 'VERTEX_API_KEY',
    urlVariable: 'VERTEX_BASE_URL',
    baseUrl: 'https://aiplatform.googleapis.com/v1/publishers/google',
  },
  azure: {
    shown: 'Azure OpenAI',
    keyVariable: 'AZURE_API_KEY',
    urlVariable: 'AZURE_BASE_URL',
    baseUrl: null,
    address: 'the address of the resource, like https://RESOURCE.openai.azure.com/openai/v1',
  },
  bedrock: {
    shown: 'Amazon Bedrock',
    keyVariable: 'BEDROCK_API_KEY',
    urlVariable: 'BEDROCK_BASE_URL',
    baseUrl: null,
    address: 'the address of a region, like https://bedrock-runtime.us-east-1.amazonaws.com',
  },
  openrouter: {
    shown: 'OpenRouter',
    keyVariable: 'OPENROUTER_API_KEY',
    urlVariable: 'OPENROUTER_BASE_URL',
    baseUrl: 'https://openrouter.ai/api/v1',
  },
  deepseek: {
    shown: 'DeepSeek',
    keyVariable: 'DEEPSEEK_API_KEY',
    urlVariable: 'DEEPSEEK_BASE_URL',
    baseUrl: 'https://api.deepseek.com',
  },
  groq: {
    shown: 'Groq',
    keyVariable: 'GROQ_API_KEY',
    urlVariable: 'GROQ_BASE_URL',
    baseUrl: 'https://api.groq.com/openai/v1',
  },
  cerebras: {
    shown: 'Cerebras',
    keyVariable: 'CEREBRAS_API_KEY',
    urlVariable: 'CEREBRAS_BASE_URL',
    baseUrl: 'https://api.cerebras.ai/v1',
  },
  mistral: {
    shown: 'Mistral',
    keyVariable: 'MISTRAL_API_KEY',
    urlVariable: 'MISTRAL_BASE_URL',
    baseUrl: 'https://api.mistral.ai/v1',
  },
  xai: {
    shown: 'xAI',
    keyVariable: 'XAI_API_KEY',
    urlVariable: 'XAI_BASE_URL',
    baseUrl: 'https://api.x.ai/v1',
  },
  compatible: {
    shown: 'the model server',
    keyVariable: 'MODEL_API_KEY',
    urlVariable: 'MODEL_BASE_URL',
    baseUrl: null,
    address: 'the address of an OpenAI-compatible server',
  },
} as const satisfies Record<ModelProvider, ProviderNames>;

/** The base URL of a provider; null when that must be configured and is not. */
export function baseUrlOf(provider: ModelProvider, { baseUrls }: ModelAccess): string | null {
  return baseUrls[provider] || providerNames[provider].baseUrl;
}

/** The variable that holds a provider's base URL. */
export function urlVariableOf(provider: ModelProvider): string {
  return providerNames[provider].urlVariable;
}
