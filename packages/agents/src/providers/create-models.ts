import { createHash } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { APICallError, type ModelMessage, wrapLanguageModel } from 'ai';
import { builtinChoice } from '../builtin/builtin-choice.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { createRefusalMemory } from './compatible/refusal-memory.ts';
import type { Effort } from './effort-level.ts';
import { failingModel } from './failing-model.ts';
import { languageModel, refusedForms } from './language-model.ts';
import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';
import { answerLimit, modelFacts, modelWindow, seesPictures } from './model-facts.ts';
import { modelFailure } from './model-failure.ts';
import { type HostedName, modelNameProblem, parseModelName } from './model-name.ts';
import {
  type ModelStage,
  type ModelTable,
  type RequestSettings,
  requestSettings,
  secretsOf,
} from './model-settings-file.ts';
import { sentEffort } from './sent-effort.ts';
import { serverWindow } from './server-window.ts';
import { thrownFacts } from './thrown-facts.ts';

export interface ModelsOptions extends ModelAccess {
  /** The operator's settings of models. They override the list prices and windows that come with Sluice. */
  readonly table?: ModelTable;
  /** How much the models think in a stage, in place of the defaults of their families. */
  readonly effort?: Readonly<Partial<Record<ModelStage, Effort>>>;
  /** Milliseconds; the time of this machine by default. */
  readonly now?: () => number;
}

/** Creates models from their configured names. */
export interface Models {
  /**
   * The model for a stage, with the settings of both; without a stage, with those of all stages, and without an effort by
   * default.
   *
   * @throws Error for a name that `modelNameProblem` rejects; the configuration is checked before this
   */
  choice(name: string, stage?: ModelStage): ModelChoice;
}

/** Resolves configured names to models. Reads no environment variables and makes no calls. */
export function createModels({ keys, baseUrls, table = {}, effort = {}, now }: ModelsOptions): Models {
  const access = { keys, baseUrls, memory: createRefusalMemory(now) };
  const windows = new Map<string, Promise<number | null>>();
  /** Asks until it is told: a server keeps its window, but Ollama tells it only of a model that is loaded. */
  const windowOf = async (model: string, settings: RequestSettings) => {
    const route = JSON.stringify([model, settings.extra_headers]); // a gateway may choose the server by a header
    const reading = windows.get(route) ?? serverWindow(model, access, settings);
    windows.set(route, reading);
    const window = await reading;
    if (window === null) windows.delete(route);
    return window;
  };
  return {
    choice(name, stage) {
      const parsed = parseModelName(name);
      const problem = modelNameProblem(name, access);
      if (parsed === null || problem !== null) throw new Error(`The model ${name} ${problem}.`);
      if (parsed.provider === 'builtin') return builtinChoice();
      const settings = requestSettings(table, name, stage);
      const contextTokens = modelWindow(parsed, access, table);
      const asked = stage === undefined ? undefined : effort[stage];
      const sent = sentEffort(parsed, access, { settings, stage, effort: asked, contextTokens });
      const mark = cacheMark(parsed);
      const failing = failingModel(name, parsed.provider, access);
      const secrets = [...failing.secrets, ...secretsOf(settings)];
      return {
        model: patientModel(languageModel(parsed, access, { settings, effort: sent })),
        name,
        label: name,
        ...modelFacts(parsed, access, table),
        contextTokens,
        maxOutputTokens: answerLimit(parsed, table, sent),
        thinkingTokens: sent.budgetTokens,
        thinking: sent,
        seesPictures: table[name]?.pictures ?? seesPictures(parsed),
        editFormat: settings.edit_format ?? usualEditFormat(parsed.model),
        server: serverMark(parsed.provider, access),
        refusedForms: () => refusedForms(parsed, access, settings),
        failureOf: (thrown) => modelFailure({ ...failing, secrets }, thrown),
        ...(mark !== null && { withCacheMarks: (messages) => withCacheMarks(messages, mark) }),
        ...(parsed.provider === 'compatible' &&
          table[name]?.context_tokens === undefined && { askWindow: () => windowOf(parsed.model, settings) }),
      };
    },
  };
}

/** Tells one address of a server from another, without showing it. */
function serverMark(provider: ModelProvider, access: ModelAccess): string {
  return createHash('sha256')
    .update(baseUrlOf(provider, access) ?? '')
    .digest('hex')
    .slice(0, 16);
}

/**
 * OpenAI trains its models on patches in the format of `apply_patch`, from GPT-4.1 on:
 * cookbook.openai.com/examples/gpt4-1_prompting_guide. Other families do best with exact replacements.
 */
function usualEditFormat(model: string): 'replace' | 'patch' {
  return /^(?:openai\/)?(?:gpt-4\.1|gpt-5|codex)/.test(model) ? 'patch' : 'replace';
}

type CacheMark = NonNullable<ModelMessage['providerOptions']>;

/**
 * The mark that says how far a prompt cache keeps a request; null where the vendor caches by itself. On
 * Bedrock, Claude and Nova take one: docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html. OpenRouter hands a mark
 * on to Claude: openrouter.ai/docs/features/prompt-caching.
 */
function cacheMark({ provider, model }: HostedName): CacheMark | null {
  if (provider === 'anthropic') return { anthropic: { cacheControl: { type: 'ephemeral' } } };
  if (provider === 'openrouter' && /^anthropic\//.test(model))
    return { openrouter: { cacheControl: { type: 'ephemeral' } } };
  return provider === 'bedrock' && /anthropic\.claude|amazon\.nova/.test(model)
    ? { bedrock: { cachePoint: { type: 'default' } } }
    : null;
}

/**
 * Marks for the prompt cache of Claude, as many as it takes: on the instructions, which the tools go before; on the request,
 * which stays when results after it are shortened; on the end of the request before; and on the last message, so that the
 * next turn reads all that this one has sent at a tenth of its price. From a mark, only 20 blocks back are looked up
 * (platform.claude.com/docs/en/build-with-claude/prompt-caching), and a turn with many calls has more. The other vendors
 * cache by themselves.
 */
function withCacheMarks(messages: readonly ModelMessage[], mark: CacheMark): ModelMessage[] {
  const beforeLastAnswer = messages.findLastIndex(({ role }) => role === 'assistant') - 1;
  const marked = new Set([0, 1, beforeLastAnswer, messages.length - 1]);
  return messages.map((message, at) =>
    marked.has(at) ? { ...message, providerOptions: { ...message.providerOptions, ...mark } } : message,
  );
}

/** The SDK follows a requested wait below this, and asks after seconds of its own where it is longer. */
const MAX_SDK_WAIT_MS = 60_000;

/**
 * A model whose requests are not repeated before the server wants them: a longer wait is left to the stage, which is
 * retried after all of it.
 */
function patientModel(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        try {
          return await doStream();
        } catch (error) {
          throw withoutHaste(error);
        }
      },
    },
  });
}

function withoutHaste(error: unknown): unknown {
  if (!APICallError.isInstance(error) || !error.isRetryable) return error;
  if ((thrownFacts(error).retryAfterMs ?? 0) < MAX_SDK_WAIT_MS) return error;
  const { message, url, requestBodyValues, statusCode, responseHeaders, responseBody, data, cause } = error;
  return new APICallError({
    ...{ message, url, requestBodyValues, data, cause },
    ...(statusCode !== undefined && { statusCode }),
    ...(responseHeaders !== undefined && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
    isRetryable: false,
  });
}
