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
import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { RequestSettings } from './model-settings-file.ts';
import { inFormOfPackage, type PackageProvider, refusedByPackage } from './package-forms.ts';
import { type ProviderSettings, providerSettings } from './provider-settings.ts';
import type { SentEffort } from './sent-effort.ts';
import { withThoughtsCounted } from './thoughts-counted.ts';
import { thrownFacts } from './thrown-facts.ts';
import { vendorModel } from './vendor-models.ts';

/** What each request to a model says besides the conversation. */
interface RequestForm {
  readonly settings: RequestSettings;
  readonly effort: SentEffort;
}

/** The SDK's model for a provider, with the operator's settings of its requests and the effort of its thoughts. */
export function languageModel(name: HostedName, access: Access, form: RequestForm): LanguageModelV4 {
  return withRequestSettings(sdkModel(name, access, form), name.provider, form);
}

type Access = ModelAccess & { readonly memory: RefusalMemory };

/** What a server has refused of requests to a model within a day, for people. */
export function refusedForms({ provider, model }: HostedName, access: Access, settings: RequestSettings): string[] {
  if (provider === 'compatible') return refusedBy(compatibleSettings(model, access, settings));
  return refusedByPackage(askedPackage(provider, model, access));
}

function readableSettings(provider: ModelProvider, access: Access, own: RequestSettings) {
  const settings = providerSettings(provider, access, own);
  const form = provider === 'compatible' ? 'chat completions' : provider === 'bedrock' ? 'events of Amazon' : 'events';
  return { ...settings, fetch: readableFetch(settings.fetch, form) };
}

function isRefusal(error: unknown): boolean {
  return failureCode(thrownFacts(error)) === 'model_request_refused';
}

function compatibleSettings(model: string, access: Access, settings: RequestSettings): CompatibleSettings {
  return {
    model,
    dialect: settings.dialect,
    memory: access.memory,
    server: readableSettings('compatible', access, settings),
    isRefusal,
  };
}

function askedPackage(provider: PackageProvider, model: string, access: Access) {
  return { provider, route: `${baseUrlOf(provider, access)} ${provider}/${model}`, memory: access.memory, isRefusal };
}

/** They hold an answer to its schema as a compatible server does; Bedrock's package forces a tool for it. */
const SCHEMA_BEFORE_TOOLS: readonly ModelProvider[] = [
  'bedrock',
  'openrouter',
  'deepseek',
  'groq',
  'cerebras',
  'mistral',
];

function sdkModel({ provider, model }: HostedName, access: Access, form: RequestForm): LanguageModelV4 {
  const settings = readableSettings(provider, access, form.settings);
  if (provider === 'compatible')
    return wrapLanguageModel({
      model: compatibleModel(compatibleSettings(model, access, form.settings)),
      middleware: withThoughtsCounted(settings.baseURL),
    });
  return wrapLanguageModel({
    model: packageModel(provider, model, settings),
    middleware: [
      ...(SCHEMA_BEFORE_TOOLS.includes(provider) ? [toolsBeforeSchema] : []),
      inFormOfPackage(askedPackage(provider, model, access), form.effort),
    ],
  });
}

function packageModel(provider: PackageProvider, model: string, settings: ProviderSettings): LanguageModelV4 {
  if (provider === 'anthropic') return createAnthropic(settings)(model);
  if (provider === 'openai') return createOpenAI(settings).responses(model);
  return vendorModel(provider, model, settings);
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
  xai: (settings, params, effort) => ({
    ...parallelToolCalls(settings, params, effort),
    ...{ store: false, promptCacheKey: params.providerOptions?.openai?.promptCacheKey },
  }),
  compatible: parallelMember,
};
