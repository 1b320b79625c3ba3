import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { type Asking, askInAnotherForm } from './ask-in-another-form.ts';
import { type DialectName, dialectOf, dialects } from './dialects.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import { shownForm } from './refused-forms.ts';
import { replayWhatWasKept } from './replay.ts';
import { EFFORT_MEMBERS, FORM, inItsForm, type RequestForm, USUAL_FORM } from './request-form.ts';

export interface CompatibleSettings {
  readonly model: string;
  readonly dialect: DialectName | undefined;
  readonly memory: RefusalMemory;
  readonly server: {
    readonly apiKey: string;
    readonly baseURL: string;
    readonly headers: Record<string, string>;
    readonly fetch: typeof fetch;
  };
  isRefusal(error: unknown): boolean;
}

/** A model of any server that speaks OpenAI's chat completions, in the dialect of that server. */
export function compatibleModel(settings: CompatibleSettings): LanguageModelV4 {
  const { model, memory, server, isRefusal } = settings;
  return wrapLanguageModel({
    model: createOpenAICompatible({
      name: 'compatible',
      ...server,
      includeUsage: true,
      supportsStructuredOutputs: true,
      transformRequestBody: inItsForm,
    })(model),
    middleware: [
      toolsBeforeSchema,
      replayWhatWasKept,
      askInAnotherForm({ asking, usual: usualForm(settings), route: routeOf(settings), memory, isRefusal }),
    ],
  });
}

/** The form travels to the body as a member of it, where the SDK has written the rest. */
const asking: Asking = {
  inForm(params, form) {
    const { compatible, ...others } = params.providerOptions ?? {};
    return { ...params, providerOptions: { ...others, compatible: { ...compatible, [FORM]: { ...form } as never } } };
  },
  sent: (_params, body) => body,
  effortIn({ reasoning, providerOptions }: LanguageModelV4CallOptions) {
    const own = Object.entries(providerOptions?.compatible ?? {});
    const members = own.filter(([name]) => EFFORT_MEMBERS.some((known) => known === name));
    const isAsked = reasoning !== undefined && reasoning !== 'provider-default';
    return { ...(isAsked && { reasoning_effort: reasoning }), ...Object.fromEntries(members) };
  },
};

/** What its server has refused within a day, for people. */
export function refusedBy(settings: CompatibleSettings): string[] {
  const form = settings.memory.formFor(routeOf(settings));
  return form === null ? [] : shownForm(form, usualForm(settings));
}

function usualForm({ dialect, model, server }: CompatibleSettings): RequestForm {
  return { ...USUAL_FORM, ...dialects[dialectOf({ dialect, model, baseUrl: server.baseURL })].form };
}

function routeOf({ server, model }: CompatibleSettings): string {
  return `${server.baseURL} ${model}`;
}

/**
 * Ollama, vLLM and llama.cpp hold an answer to its schema from the first word on, so with one the model could never call
 * a tool. The roles' instructions tell the shape as well, and it is checked in any case.
 */
export const toolsBeforeSchema: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async transformParams({ params }) {
    if (params.responseFormat?.type !== 'json' || !params.tools?.length) return params;
    return { ...params, responseFormat: { type: 'text' } };
  },
};
