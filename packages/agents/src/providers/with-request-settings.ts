import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import type { ModelProvider } from './model-access.ts';
import type { RequestSettings } from './model-settings-file.ts';

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

/**
 * A model with the operator's settings in each of its requests. `reasoning_effort` becomes the provider's own parameter:
 * OpenAI's `reasoning.effort`, a compatible server's `reasoning_effort`, Anthropic's effort or, for its models without one, a
 * thinking budget that is a share of the longest answer the model can give.
 */
export function withRequestSettings(
  model: LanguageModelV4,
  provider: ModelProvider,
  settings: RequestSettings,
): LanguageModelV4 {
  const { temperature, reasoning_effort } = settings;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        ...(temperature !== undefined && { temperature }),
        ...(reasoning_effort !== undefined && { reasoning: reasoning_effort }),
        providerOptions: {
          ...params.providerOptions,
          [provider]: { ...params.providerOptions?.[provider], ...vendorOptions[provider](settings, params) },
        },
      }),
    },
  });
}

type VendorOptions = (settings: RequestSettings, params: LanguageModelV4CallOptions) => ProviderOptions[string];

const vendorOptions: Readonly<Record<ModelProvider, VendorOptions>> = {
  anthropic: ({ thinking_tokens, parallel_calls }, { tools }) => ({
    ...(thinking_tokens !== undefined && { thinking: { type: 'enabled', budgetTokens: thinking_tokens } }),
    ...(tools?.length && parallel_calls !== undefined && { disableParallelToolUse: !parallel_calls }),
  }),
  // OpenAI refuses the parameter in a request without tools.
  openai: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { parallelToolCalls: parallel_calls } : {},
  // Members that the SDK does not know go into the body as they are.
  compatible: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { parallel_tool_calls: parallel_calls } : {},
};
