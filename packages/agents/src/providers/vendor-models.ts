import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelProvider } from './model-access.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The providers whose package is loaded by the first request to one of their models. */
export type VendorProvider = Exclude<ModelProvider, 'anthropic' | 'openai' | 'compatible'>;

/**
 * The SDK's model for each vendor. Each package is a chunk of the bundle. Key and address are always given, as texts: an SDK
 * takes a missing one from the environment, and Bedrock's and Vertex's would then ask for credentials elsewhere.
 */
const vendors: Readonly<
  Record<VendorProvider, (settings: ProviderSettings, model: string) => Promise<LanguageModelV4>>
> = {
  google: async (settings, model) => (await import('@ai-sdk/google')).createGoogle(settings)(model),
  // The package's other door loads Google's library of credentials, which asks the metadata service.
  vertex: async (settings, model) => (await import('@ai-sdk/google-vertex/edge')).createGoogleVertex(settings)(model),
  azure: async (settings, model) => (await import('@ai-sdk/azure')).createAzure(settings).responses(model),
  bedrock: async (settings, model) => (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock(settings)(model),
  openrouter: async (settings, model) =>
    (await import('@openrouter/ai-sdk-provider'))
      .createOpenRouter({ ...settings, compatibility: 'strict' })
      .chat(model, { usage: { include: true } }),
  deepseek: async (settings, model) => (await import('@ai-sdk/deepseek')).createDeepSeek(settings)(model),
  groq: async (settings, model) => (await import('@ai-sdk/groq')).createGroq(settings)(model),
  cerebras: async (settings, model) => (await import('@ai-sdk/cerebras')).createCerebras(settings)(model),
  mistral: async (settings, model) => (await import('@ai-sdk/mistral')).createMistral(settings)(model),
  xai: async (settings, model) => (await import('@ai-sdk/xai')).createXai(settings)(model),
};

/** A vendor's model, whose package is loaded by its first request. */
export function vendorModel(provider: VendorProvider, modelId: string, settings: ProviderSettings): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | null = null;
  const load = () => {
    loaded ??= vendors[provider](settings, modelId);
    return loaded;
  };
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {}, // nothing is sent by its address
    doGenerate: async (options) => await (await load()).doGenerate(options),
    doStream: async (options) => await (await load()).doStream(options),
  };
}
