import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { ModelAccess, ModelProvider } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { RequestSettings } from './model-settings-file.ts';
import { providerSettings } from './provider-settings.ts';
import type { SentEffort } from './sent-effort.ts';
import { withThoughtsCounted } from './thoughts-counted.ts';

/** What each request to a model says besides the conversation. */
interface RequestForm {
  readonly settings: RequestSettings;
  readonly effort: SentEffort;
}

/** The SDK's model for a provider, with the operator's settings of its requests and the effort of its thoughts. */
export function languageModel(name: HostedName, access: ModelAccess, form: RequestForm): LanguageModelV4 {
  const model = sdkModel(name, providerSettings(name.provider, access, form.settings));
  return withRequestSettings(model, name.provider, form);
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
        middleware: [toolsBeforeSchema, withThoughtsCounted(settings.baseURL), plainFormWhereRefused()],
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
            ...vendorOptions[provider](settings, params),
            ...(effort.options as ProviderOptions[string]),
          },
        },
      }),
    },
  });
}

type VendorOptions = (settings: RequestSettings, params: LanguageModelV4CallOptions) => ProviderOptions[string];

const vendorOptions: Readonly<Record<ModelProvider, VendorOptions>> = {
  anthropic: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { disableParallelToolUse: !parallel_calls } : {},
  // OpenAI refuses the parameter in a request without tools.
  openai: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { parallelToolCalls: parallel_calls } : {},
  // Members that the SDK does not know go into the body as they are.
  compatible: ({ parallel_calls }, { tools }) =>
    tools?.length && parallel_calls !== undefined ? { parallel_tool_calls: parallel_calls } : {},
};

const REFUSED = /schema|response_format|grammar|structured.?output|guided|keyword/i;

/** What every server reads of a schema. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items', 'enum']);

/**
 * Asks once more in the plain form when a server refuses the schema of the answer or of a tool, as older servers and
 * gateways do: for an answer in text, and with the plain keywords in the tools' schemas. From then on it asks only so. The
 * roles' instructions tell the shape as well, and it is checked in any case.
 */
function plainFormWhereRefused(): LanguageModelMiddleware {
  let isPlain = false;
  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream, model, params }) {
      if (isPlain) return await model.doStream(plainForm(params));
      try {
        return await doStream();
      } catch (error) {
        if (!isFormRefused(error)) throw error;
        const answer = await model.doStream(plainForm(params));
        isPlain = true;
        return answer;
      }
    },
  };
}

function isFormRefused(error: unknown): boolean {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false;
  return REFUSED.test(`${error.message} ${error.responseBody ?? ''}`);
}

function plainForm(params: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools } = params;
  return {
    ...params,
    responseFormat: { type: 'text' },
    ...(tools !== undefined && {
      tools: tools.map((tool) =>
        tool.type === 'function' ? { ...tool, inputSchema: plainSchema(tool.inputSchema) } : tool,
      ),
    }),
  };
}

function plainSchema<Schema>(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([keyword]) => PLAIN_KEYWORDS.has(keyword));
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (keyword === 'items') return [keyword, plainSchema(value)];
      if (keyword !== 'properties' || typeof value !== 'object' || value === null) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainSchema(one)]))];
    }),
  ) as Schema;
}
