import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';

/**
 * The SDK's model for a provider. Key and address are always given: what is missing, the SDK would take from the
 * environment, which belongs to somebody else.
 */
export function languageModel(provider: ModelProvider, model: string, access: ModelAccess): LanguageModelV4 {
  const apiKey = access.keys[provider] ?? '';
  const baseURL = baseUrlOf(provider, access) ?? '';
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ apiKey, baseURL })(model);
    case 'openai':
      return wrapLanguageModel({
        model: createOpenAI({ apiKey, baseURL }).responses(model),
        // Nothing of ours is kept there, so a conversation never refers to something that another key cannot see. The
        // roles' answers are checked by us; strict mode would refuse the schemas that it does not know in full.
        middleware: defaultSettingsMiddleware({
          settings: { providerOptions: { openai: { store: false, strictJsonSchema: false } } },
        }),
      });
    case 'compatible':
      return wrapLanguageModel({
        model: createOpenAICompatible({
          name: 'compatible',
          apiKey,
          baseURL,
          includeUsage: true,
          supportsStructuredOutputs: true,
        })(model),
        middleware: toolsBeforeSchema,
      });
  }
}

/**
 * Ollama, vLLM and llama.cpp hold an answer to its schema from the first word on, so with one the model could never call
 * a tool. The roles' instructions tell the shape as well, and it is checked in any case.
 */
const toolsBeforeSchema: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async transformParams({ params }) {
    if (params.responseFormat?.type !== 'json' || !params.tools?.length) return params;
    return { ...params, responseFormat: { type: 'text' } };
  },
};
