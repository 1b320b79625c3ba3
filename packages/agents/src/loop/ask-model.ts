import { AppError } from '@sluice/core';
import {
  type FinishReason,
  isStepCount,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  type SystemModelMessage,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import type { AgentTool } from '../tools/agent-tool.ts';
import { credibleUsage } from './credible-usage.ts';
import { madeBy, readableBy } from './made-by.ts';
import type { ModelChoice } from './model-choice.ts';
import { turnPatience } from './turn-patience.ts';
import type { TurnRequest } from './turn-request.ts';
import { withUniqueCallIds } from './unique-call-ids.ts';

/** What one model answered. */
export interface ModelAnswer {
  /** The model's message, and the SDK's own answers to calls that it could not understand. */
  readonly messages: readonly ModelMessage[];
  readonly usage: LanguageModelUsage;
  readonly finishReason: FinishReason;
  /** `model_answer_withheld`, when that is how the answer ended: it is paid for, so its usage counts, but useless. */
  readonly withheld: AppError | null;
}

/**
 * One request to one model. The tools have no `execute`: the SDK's own loop cannot be a journal, because it swallows
 * what its callbacks throw, so it must never run one.
 *
 * @throws the signal's reason when cancelled, and AppError `model_*` when the model fails
 */
export async function askModel(request: TurnRequest, choice: ModelChoice): Promise<ModelAnswer> {
  const { answer, signal } = request;
  signal.throwIfAborted();
  using patience = turnPatience(request.timeouts);
  const result = streamText({
    model: withUniqueCallIds(choice.model),
    ...marked(request, choice),
    tools: toolSet(request.tools),
    stopWhen: isStepCount(1),
    abortSignal: AbortSignal.any([signal, patience.signal]),
    maxRetries: request.maxRetries,
    // Raw chunks are heard too: a model that thinks long sends nothing else for a while.
    include: { rawChunks: true },
    // The default prints the error with the whole prompt; here it arrives as a part of the stream.
    onError() {},
    ...(choice.maxOutputTokens !== null && { maxOutputTokens: choice.maxOutputTokens }),
    ...(answer.name !== null && { output: Output.object({ name: answer.name, schema: answer.schema }) }),
  });
  // A provider's own abort error is no failure of the provider when it was we who gave up.
  const failure = (error: unknown) => {
    if (signal.aborted) return signal.reason;
    return choice.failureOf(patience.signal.aborted ? patience.signal.reason : error);
  };
  const parts = result.stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await parts.next().catch((error: unknown) => Promise.reject(failure(error)));
    if (next.done) break;
    const part = next.value;
    if (part.type === 'error') throw failure(part.error);
    if (part.type === 'abort') throw failure(part.reason);
    if (part.type !== 'start' && part.type !== 'start-step') patience.heard();
    if (part.type === 'text-delta' && !signal.aborted) request.onText(part.text, choice);
  }
  if (signal.aborted || patience.signal.aborted) throw failure(null);
  return await wholeAnswer(result, choice).catch((error: unknown) => Promise.reject(failure(error)));
}

/** The answer of a stream that has ended. One that was cut has no reason for its end, and is never taken for a whole one. */
async function wholeAnswer(result: ReturnType<typeof streamText>, choice: ModelChoice): Promise<ModelAnswer> {
  const [finishReason, said] = [await result.finishReason, await result.rawFinishReason];
  if (finishReason === 'error' || finishReason === 'interrupted' || (finishReason === 'other' && said === undefined))
    throw new Error('the answer broke off');
  return {
    messages: madeBy(choice, await result.responseMessages),
    usage: credibleUsage(await result.usage),
    finishReason,
    withheld: finishReason === 'content-filter' ? withheldBy(choice) : null,
  };
}

function withheldBy({ name }: ModelChoice): AppError {
  const detail = `${name} withheld its answer (content filter or refusal). Reword the issue, or use another model.`;
  return new AppError('model_answer_withheld', { detail });
}

function marked(
  { instructions, messages }: TurnRequest,
  choice: ModelChoice,
): { instructions: SystemModelMessage | string; messages: ModelMessage[] } {
  const readable = readableBy(choice, messages);
  if (choice.withCacheMarks === undefined) return { instructions, messages: readable };
  const [first, ...others] = choice.withCacheMarks([{ role: 'system', content: instructions }, ...readable]);
  return first?.role === 'system' ? { instructions: first, messages: others } : { instructions, messages: others };
}

function toolSet(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: input })]),
  );
}
