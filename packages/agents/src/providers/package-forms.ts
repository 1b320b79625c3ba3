import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { type Asking, askInAnotherForm } from './compatible/ask-in-another-form.ts';
import { dialects } from './compatible/dialects.ts';
import type { RefusalMemory } from './compatible/refusal-memory.ts';
import { shownForm } from './compatible/refused-forms.ts';
import { callId, plainSchema, type RequestForm, USUAL_FORM } from './compatible/request-form.ts';
import type { ModelProvider } from './model-access.ts';
import type { SentEffort } from './sent-effort.ts';

/** A provider with a package of its own in the SDK. */
export type PackageProvider = Exclude<ModelProvider, 'compatible'>;

interface AskedPackage {
  readonly provider: PackageProvider;
  /** Server and model. */
  readonly route: string;
  readonly memory: RefusalMemory;
  isRefusal(error: unknown): boolean;
}

/**
 * Asks a vendor again in another form when it refuses that of a request, by the rules for compatible servers. A form changes
 * what the package is given, because each one writes a body of its own.
 */
export function inFormOfPackage(asked: AskedPackage, effort: SentEffort): LanguageModelMiddleware {
  const { provider, ...others } = asked;
  return askInAnotherForm({ ...others, usual: usualForm(provider), asking: askingOf(provider, effort) });
}

/** What a vendor has refused within a day, for people. */
export function refusedByPackage({ provider, route, memory }: AskedPackage): string[] {
  const form = memory.formFor(route);
  return form === null ? [] : shownForm(form, usualForm(provider));
}

/** The rules about messages hold for an API, whichever client speaks it. */
function usualForm(provider: PackageProvider): RequestForm {
  const { form } = provider in dialects ? dialects[provider as keyof typeof dialects] : { form: {} };
  return { ...USUAL_FORM, ...form };
}

/** The options of packages that say whether a model may call several tools at once. */
const PARALLEL = ['parallelToolCalls', 'parallel_tool_calls', 'disableParallelToolUse'];

function askingOf(provider: PackageProvider, effort: SentEffort): Asking {
  const effortOptions = Object.keys(effort.options);
  const isAsked = effortOptions.length > 0 || effort.reasoning !== undefined;
  const effortIn = () => (isAsked ? { effort: effort.words } : {});
  return {
    effortIn,
    sent: ({ temperature, tools, responseFormat, providerOptions }) => ({
      ...effortIn(),
      temperature,
      tools,
      response_format: responseFormat?.type === 'json' ? responseFormat : undefined,
      parallel_tool_calls: PARALLEL.map((name) => providerOptions?.[provider]?.[name]).find((one) => one !== undefined),
    }),
    inForm(params, form) {
      const isWithout = (name: RequestForm['without'][number]) => form.without.includes(name);
      const refused = [
        ...(isWithout('effort') ? [...effortOptions, 'reasoning'] : []),
        ...(isWithout('parallel_tool_calls') ? PARALLEL : []),
      ];
      const { temperature, reasoning, ...others } = params;
      return {
        ...inPlainSchemas(others, form),
        prompt: params.prompt.map((message) => messageIn(message, form)),
        ...(temperature !== undefined && !isWithout('temperature') && { temperature }),
        ...(reasoning !== undefined && !isWithout('effort') && { reasoning }),
        ...(params.providerOptions !== undefined && {
          providerOptions: {
            ...params.providerOptions,
            [provider]: Object.fromEntries(
              Object.entries(params.providerOptions[provider] ?? {}).filter(([name]) => !refused.includes(name)),
            ),
          },
        }),
      };
    },
  };
}

function inPlainSchemas(params: LanguageModelV4CallOptions, { schemas }: RequestForm): LanguageModelV4CallOptions {
  if (schemas === 'full') return params;
  const tools = params.tools?.map((tool) =>
    tool.type === 'function'
      ? { ...tool, inputSchema: plainSchema(tool.inputSchema) as typeof tool.inputSchema }
      : tool,
  );
  return { ...params, responseFormat: { type: 'text' }, ...(tools !== undefined && { tools }) };
}

function messageIn(message: LanguageModelV4Message, form: RequestForm): LanguageModelV4Message {
  const withId = <Part extends { readonly toolCallId: string }>(part: Part): Part =>
    form.callIds === 'any' ? part : { ...part, toolCallId: String(callId(part.toolCallId, form)) };
  if (message.role === 'tool')
    return { ...message, content: message.content.map((part) => (part.type === 'tool-result' ? withId(part) : part)) };
  if (message.role !== 'assistant') return message;
  const kept = message.content.filter(({ type }) => type !== 'reasoning' || form.replay === 'as_received');
  return { ...message, content: kept.map((part) => ('toolCallId' in part ? withId(part) : part)) };
}
