import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { ModelAccess } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { RequestSettings } from './model-settings-file.ts';
import { plainFormWhereRefused } from './plain-form.ts';
import { providerSettings } from './provider-settings.ts';
import { withRequestSettings } from './with-request-settings.ts';

/** The SDK's model for a provider, with the operator's settings of its requests. */
export function languageModel(name: HostedName, access: ModelAccess, settings: RequestSettings): LanguageModelV4 {
  return withRequestSettings(
    sdkModel(name, providerSettings(name.provider, access, settings)),
    name.provider,
    settings,
  );
}

function sdkModel({ provider, model }: HostedName, settings: ReturnType<typeof providerSettings>): LanguageModelV4 {
  switch (provider) {
    case 'anthropic':
      return createAnthropic(settings)(model);
    case 'openai':
      return wrapLanguageModel({
        model: createOpenAI(settings).responses(model),
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
          ...settings,
          includeUsage: true,
          supportsStructuredOutputs: true,
        })(model),
        middleware: [toolsBeforeSchema, plainFormWhereRefused()],
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
