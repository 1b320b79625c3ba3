import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import {
  type CompatibleSettings,
  compatibleModel,
  refusedBy,
  toolsBeforeSchema,
} from './compatible/compatible-model.ts';
import { readableFetch } from './compatible/readable-answer.ts';
import type { RefusalMemory } from './compatible/refusal-memory.ts';
import { failureCode } from './failure-code.ts';
import type { ModelAccess, ModelProvider } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { RequestSettings } from './model-settings-file.ts';
import { providerSettings } from './provider-settings.ts';
import type { SentEffort } from './sent-effort.ts';
import { thrownFacts } from './thrown-facts.ts';
import { withThoughtsCounted } from './thoughts-counted.ts';
import { vendorModel } from './vendor-models.ts';

/** What each request to a model says besides the conversation. */
interface RequestForm {
  readonly settings: RequestSettings;
  readonly effort: SentEffort;
}

/** The SDK's model for a provider, with the operator's settings of its requests and the effort of its thoughts. */
export function languageModel(name: HostedName, access: Access, form: RequestForm): LanguageModelV4 {
  return withRequestSettings(sdkModel(name, access, form.settings), name.provider, form);
}

type Access = ModelAccess & { readonly memory: RefusalMemory };

/** What a compatible server has refused of requests to a model within a day, for people. */
export function refusedForms({ model }: HostedName, access: Access, settings: RequestSettings): string[] {
  return refusedBy(compatibleSettings(model, access, settings));
}

function readableSettings(provider: ModelProvider, access: Access, own: RequestSettings) {
  const settings = providerSettings(provider, access, own);
  const form = provider === 'compatible' ? 'chat completions' : provider === 'bedrock' ? 'events of Amazon' : 'events';
  return { ...settings, fetch: readableFetch(settings.fetch, form) };
}

function compatibleSettings(model: string, access: Access, settings: RequestSettings): CompatibleSettings {
  return {
    model,
    dialect: settings.dialect,
    memory: access.memory,
    server: readableSettings('compatible', access, settings),
    isRefusal: (error) => failureCode(thrownFacts(error)) === 'model_request_refused',
  };
}

function sdkModel({ provider, model }: HostedName, access: Access, own: RequestSettings): LanguageModelV4 {
  const settings = readableSettings(provider, access, own);
  switch (provider) {
    case 'anthropic':
      return createAnthropic(settings)(model);
    case 'openai':
      return createOpenAI(settings).responses(model);
    case 'compatible':
      return wrapLanguageModel({
        model: compatibleModel(compatibleSettings(model, access, own)),
        middleware: withThoughtsCounted(settings.baseURL),
      });
    case 'google':
    case 'vertex':
    case 'azure':
    case 'xai':
      return vendorModel(provider, model, settings);
    // They hold an answer to its schema as a compatible server does; Bedrock's package forces a tool for it.
    case 'bedrock':
    case 'openrouter':
    case 'deepseek':
    case 'groq':
    case 'cerebras':
    case 'mistral':
      return wrapLanguageModel({ model: vendorModel(provider, model, settings), middleware: toolsBeforeSchema });
  }
}

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

/** A model with the operator's settings in each of its requests, and with what makes it think. */
function withRequestSettings(
  model: LanguageModelV4,
  provider: ModelProvider,
  { settings, effort }: RequestForm,
): LanguageModelV4 {
  const { temperature } = settings;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        ...(temperature !== undefined && { temperature }),
        ...(effort.reasoning !== undefined && { reasoning: effort.reasoning }),
        providerOptions: {
          ...params.providerOptions,
          [provider]: {
            ...params.providerOptions?.[provider],
            ...vendorOptions[provider](settings, params, effort),
            ...(effort.options as ProviderOptions[string]),
          },
        },
      }),
    },
  });
}

type VendorOptions = (
  settings: RequestSettings,
  params: LanguageModelV4CallOptions,
  effort: SentEffort,
) => ProviderOptions[string];

/** OpenAI refuses the parameter in a request without tools. */
const parallelToolCalls: VendorOptions = ({ parallel_calls }, { tools }) =>
  tools?.length && parallel_calls !== undefined ? { parallelToolCalls: parallel_calls } : {};

/** Members that the package does not know go into the body as they are. */
const parallelMember: VendorOptions = ({ parallel_calls }, { tools }) =>
  tools?.length && parallel_calls !== undefined ? { parallel_tool_calls: parallel_calls } : {};

/** Neither Google nor Amazon nor DeepSeek has such a parameter. */
const nothing: VendorOptions = () => ({});

/**
 * Nothing of ours is kept there, so a conversation never refers to something that another key cannot see. The roles' answers
 * are checked by us; strict mode would refuse the schemas that it does not know in full.
 */
const KEEPS_NOTHING = { store: false, strictJsonSchema: false };

const vendorOptions: Readonly<Record<ModelProvider, VendorOptions>> = {
  anthropic: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { disableParallelToolUse: !parallel_calls } : {},
  openai: (...asked) => ({ ...parallelToolCalls(...asked), ...KEEPS_NOTHING }),
  azure: (settings, params, effort) => ({
    ...parallelToolCalls(settings, params, effort),
    ...KEEPS_NOTHING,
    ...{ promptCacheKey: params.providerOptions?.openai?.promptCacheKey },
  }),
  google: nothing,
  vertex: nothing,
  bedrock: nothing,
  deepseek: nothing,
  // The package leaves the call's effort out of the body.
  openrouter: (settings, params, effort) => ({
    ...parallelMember(settings, params, effort),
    ...(effort.reasoning !== undefined && { reasoning: { effort: effort.reasoning } }),
  }),
  groq: parallelToolCalls,
  cerebras: parallelToolCalls,
  mistral: parallelToolCalls,
  xai: (...asked) => ({ ...parallelToolCalls(...asked), store: false }),
  compatible: parallelMember,
};
