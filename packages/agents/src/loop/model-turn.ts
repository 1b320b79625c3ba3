import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  type FinishReason,
  isStepCount,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import type { Answer } from '../role/answer.ts';
import type { AgentTool } from '../tool/agent-tool.ts';

export interface TurnRequest {
  readonly model: LanguageModelV4;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly AgentTool[];
  readonly answer: Answer<unknown>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  onText(text: string): void;
}

export interface ModelTurn {
  /** The model's message, and the SDK's own answers to calls that it could not understand. */
  readonly messages: readonly ModelMessage[];
  readonly usage: LanguageModelUsage;
  readonly finishReason: FinishReason;
}

/**
 * One call of the model. The tools have no `execute`: the SDK's own loop cannot be a journal, because it swallows what
 * its callbacks throw, so it must never run one.
 *
 * @throws the signal's reason when cancelled, and whatever the provider answers when it fails
 */
export async function modelTurn(request: TurnRequest): Promise<ModelTurn> {
  const { model, instructions, messages, answer, signal, timeoutMs } = request;
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const result = streamText({
    model,
    instructions,
    messages: [...messages],
    tools: toolSet(request.tools),
    stopWhen: isStepCount(1),
    abortSignal: AbortSignal.any([signal, timeout]),
    maxRetries: 2,
    // The default prints the error with the whole prompt; here it arrives as a part of the stream.
    onError() {},
    ...(answer.name !== null && { output: Output.object({ name: answer.name, schema: answer.schema }) }),
  });
  for await (const part of result.stream) {
    if (part.type === 'text-delta') request.onText(part.text);
    else if (part.type === 'error') throw cancelled(signal) ?? part.error;
    else if (part.type === 'abort') break;
  }
  signal.throwIfAborted();
  if (timeout.aborted) throw new Error(`The model had not ended its answer after ${timeoutMs / 1_000} s.`);
  return {
    messages: await result.responseMessages,
    usage: await result.usage,
    finishReason: await result.finishReason,
  };
}

/** A provider's own abort error is no failure of the provider when it was we who cancelled. */
function cancelled(signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : null;
}

function toolSet(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: input })]),
  );
}
