import * as z from 'zod';
import { askModel } from './ask-model.ts';
import type { ModelChoice } from './model-choice.ts';

/** The outcome of a request that asks for nothing but a call. */
export interface ToolTrial {
  readonly isCalled: boolean;
  /** Tokens of the request and its answer; null when the server does not report them. */
  readonly tokens: number | null;
}

const TIMEOUTS = { totalMs: 120_000, firstChunkMs: 120_000, chunkMs: 60_000 }; // a local model is loaded first

const input = z.strictObject({ word: z.string() });

/**
 * Asks a model to call a tool, which agents cannot work without. A server that was started without a parser for its calls
 * answers in text, and nothing else tells so before an issue fails.
 *
 * @throws AppError `model_*` when the model fails
 */
export async function tryToolCall(choice: ModelChoice): Promise<ToolTrial> {
  const { messages, usage } = await askModel(
    {
      instructions: 'You test a connection.',
      messages: [{ role: 'user', content: 'Call the tool report_word with the word "ready", and write nothing else.' }],
      tools: [{ name: 'report_word', description: 'Takes one word.', input, canonical: (given) => given }],
      answer: { name: null, schema: z.string() },
      cacheKey: 'doctor',
      signal: new AbortController().signal,
      timeouts: TIMEOUTS,
      maxRetries: 0,
      beforeCall: async () => {},
      onText() {},
    },
    choice,
  );
  const isCalled = messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-call' && input.safeParse(part.input).success),
  );
  const { inputTokens, outputTokens } = usage;
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  return { isCalled, tokens: isCounted ? inputTokens + outputTokens : null };
}
