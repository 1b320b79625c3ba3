import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AppError } from '@sluice/core/error';
import {
  asSchema,
  type FinishReason,
  type FlexibleSchema,
  isStepCount,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  type ProviderMetadata,
  type SystemModelMessage,
  streamText,
  type ToolCallRepairFunction,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { repairJson } from '../tools/repair-json.ts';
import { toolMeant } from '../tools/tool-names.ts';
import { type AnswerTimeouts, startAnswerTimer } from './answer-timeouts.ts';
import { KEPT, keptMarkOf } from './kept-mark.ts';
import { leanSchema } from './lean-schema.ts';
import { longestAnswer } from './longest-answer.ts';
import type { ModelChoice } from './model-choice.ts';
import { readableBy, withMaker, withUniqueCallIds } from './portable-messages.ts';
import { startWritten } from './written-characters.ts';

const MAX_TOKENS = 1_000_000_000; // a thousand times the largest window there is

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: FlexibleSchema<unknown>;
  /** The input with the tool's own names and types; what cannot be read stays as it is. */
  canonical(input: unknown): unknown;
}

/** One request to a model. */
export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The structured answer to ask for; its name is null for an answer in plain text. */
  readonly answer: { readonly name: string | null; readonly schema: FlexibleSchema<unknown> };
  /** The same for all requests that may share a beginning: OpenAI sends them to the same cache. */
  readonly cacheKey: string;
  readonly signal: AbortSignal;
  readonly timeouts: AnswerTimeouts;
  /** How often the SDK retries the same model, following the provider's headers, before it counts as unavailable. */
  readonly maxRetries: number;
  /** Runs right before each request, retries included. If it throws, the request is not sent. */
  beforeCall(): Promise<void>;
  /** Receives text as it arrives. Text of a model that fails later is no part of the answer. */
  onText(text: string, choice: ModelChoice): void;
  /**
   * Told of an answer that broke off in the middle, with the characters that had been written: providers bill those too. For
   * thoughts that are not sent, they are an estimate.
   */
  onCut?(characters: number, choice: ModelChoice): void;
}

/** The answer of one model. */
export interface ModelAnswer {
  /** The model's message, and the SDK's own results for calls that it could not parse. */
  readonly messages: readonly ModelMessage[];
  readonly usage: LanguageModelUsage;
  readonly finishReason: FinishReason;
  /** `model_answer_withheld` when a content filter ended the answer: its usage still counts, because it was billed. */
  readonly withheld: AppError | null;
  /** What people should know of how the model was asked; null as a rule. */
  readonly notice: AnswerNotice | null;
}

interface AnswerNotice {
  /** A sentence without its beginning, which is the model's name. */
  readonly text: string;
  /** Whether it became so with this answer. */
  readonly isNew: boolean;
}

/**
 * Sends one request to one model. The tools have no `execute`: the SDK's own loop swallows what its callbacks throw, so
 * it cannot write the journal and must never run a tool.
 *
 * @throws the signal's reason when cancelled, what `beforeCall` threw, and AppError `model_*` when the model fails
 */
export async function askModel(request: ModelRequest, choice: ModelChoice): Promise<ModelAnswer> {
  const { answer, signal } = request;
  signal.throwIfAborted();
  const guarded = withCallCheck(choice.model, request.beforeCall);
  const maxOutputTokens = longestAnswer(choice);
  using timer = startAnswerTimer(request.timeouts);
  const result = streamText({
    model: withUniqueCallIds(guarded.model),
    ...promptFor(request, choice),
    tools: toolSet(request.tools),
    repairToolCall: repairWith(request.tools),
    stopWhen: isStepCount(1),
    abortSignal: AbortSignal.any([signal, timer.signal]),
    maxRetries: request.maxRetries,
    providerOptions: { openai: { promptCacheKey: request.cacheKey } },
    // Raw chunks count as well: a model that thinks for a while sends nothing else.
    include: { rawChunks: true },
    // The default prints the error with the whole prompt; here it arrives as a part of the stream.
    onError() {},
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(answer.name !== null && { output: Output.object({ name: answer.name, schema: answer.schema }) }),
  });
  // When we aborted the request, the provider's abort error is not a failure of the provider.
  const failure = (error: unknown) => {
    if (signal.aborted) return signal.reason;
    if (guarded.refusal !== null) return guarded.refusal.reason;
    return choice.failureOf(timer.signal.aborted ? timer.signal.reason : error);
  };
  const written = startWritten(choice);
  const parts = result.stream[Symbol.asyncIterator]();
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value;
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw part.reason;
      if (part.type !== 'start' && part.type !== 'start-step') timer.chunkArrived();
      written.partArrived(part);
      if (part.type === 'text-delta' && !signal.aborted) request.onText(part.text, choice);
    }
    signal.throwIfAborted();
    timer.signal.throwIfAborted();
    return await completeAnswer(result, choice);
  } catch (error) {
    const characters = written.characters();
    if (characters > 0 && !signal.aborted) request.onCut?.(characters, choice);
    throw failure(error);
  }
}

/** The model with a check before each request. A refusal is kept, because the SDK reports it as the model's failure. */
function withCallCheck(model: LanguageModelV4, check: () => Promise<void>) {
  const guarded: { refusal: { readonly reason: unknown } | null; readonly model: LanguageModelV4 } = {
    refusal: null,
    model: wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v4',
        async wrapStream({ doStream }) {
          await check().catch((reason: unknown) => {
            guarded.refusal = { reason };
            throw reason;
          });
          return await doStream();
        },
      },
    }),
  };
  return guarded;
}

/** The answer of a stream that has ended. A stream that broke off has no finish reason and is never taken as complete. */
async function completeAnswer(result: ReturnType<typeof streamText>, choice: ModelChoice): Promise<ModelAnswer> {
  const [finishReason, raw] = [await result.finishReason, await result.rawFinishReason];
  if (finishReason === 'error' || finishReason === 'interrupted' || (finishReason === 'other' && raw === undefined))
    throw new Error('the answer broke off');
  const mark = await result.providerMetadata;
  return {
    messages: withMaker(choice, await result.responseMessages, keptMarkOf(mark) ?? {}),
    notice: noticeIn(mark),
    usage: credibleUsage(await result.usage),
    finishReason,
    withheld: finishReason === 'content-filter' ? answerWithheld(choice) : null,
  };
}

function noticeIn(mark: ProviderMetadata | undefined): AnswerNotice | null {
  const { notice, isNew } = mark?.[KEPT] ?? {};
  return typeof notice === 'string' ? { text: notice, isNew: isNew === true } : null;
}

function answerWithheld({ name }: ModelChoice): AppError {
  const detail = `${name} withheld its answer (content filter or refusal). Reword the issue, or use another model.`;
  return new AppError('model_answer_withheld', { detail });
}

function promptFor(
  { instructions, messages }: ModelRequest,
  choice: ModelChoice,
): { instructions: SystemModelMessage | string; messages: ModelMessage[] } {
  const readable = readableBy(choice, messages);
  if (choice.withCacheMarks === undefined) return { instructions, messages: readable };
  const [first, ...others] = choice.withCacheMarks([{ role: 'system', content: instructions }, ...readable]);
  return first?.role === 'system' ? { instructions: first, messages: others } : { instructions, messages: others };
}

/** The tools with their schemas as the vendor is told them; a call is taken as it comes, and its tool says what is wrong. */
function toolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input, canonical }) => {
      const inputSchema = jsonSchema(async () => leanSchema(await asSchema(input).jsonSchema), {
        validate(given) {
          const value = canonical(given);
          const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
          // Vendors refuse a conversation in which a call has any other input.
          return isObject ? { success: true, value } : { success: false, error: new Error('no JSON object') };
        },
      });
      return [name, tool({ description, inputSchema })];
    }),
  );
}

/** Repairs a call of a tool that we have under another name, and JSON with a slip in it; null: it stays refused. */
function repairWith(tools: readonly ModelTool[]): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall }) => {
    const input = toolCall.input.trim() === '' ? {} : repairJson(toolCall.input);
    const meant = input === null ? null : toolMeant(tools, toolCall.toolName, input);
    return meant === null ? null : { ...toolCall, toolName: meant.name, input: JSON.stringify(input) };
  };
}

/**
 * Drops token counts that cannot be true. A negative count would lower an issue's usage and a fraction cannot be stored,
 * but the answer is paid for and must not be lost to either.
 */
function credibleUsage(usage: LanguageModelUsage): LanguageModelUsage {
  const { inputTokenDetails: input, outputTokenDetails: output } = usage;
  return {
    ...usage,
    // A request always has input: a server that reports zero has not counted.
    inputTokens: credible(usage.inputTokens) || undefined,
    outputTokens: credible(usage.outputTokens),
    inputTokenDetails: {
      noCacheTokens: credible(input.noCacheTokens),
      cacheReadTokens: credible(input.cacheReadTokens),
      cacheWriteTokens: credible(input.cacheWriteTokens),
    },
    outputTokenDetails: {
      textTokens: credible(output.textTokens),
      reasoningTokens: credible(output.reasoningTokens),
    },
  };
}

function credible(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= 0 && tokens <= MAX_TOKENS ? Math.ceil(tokens) : undefined;
}
