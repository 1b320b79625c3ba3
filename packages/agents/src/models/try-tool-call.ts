import type { LanguageModelV4 } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import * as z from 'zod';
import { askModel } from './ask-model.ts';
import type { ModelChoice } from './model-choice.ts';

/** The outcome of a request that asks for nothing but a call. */
export interface ToolTrial {
  readonly isCalled: boolean;
  /** Tokens of the request and its answer; null when the server does not report them. */
  readonly tokens: number | null;
  /** The tokens of the answer that are thoughts; null when the server does not report them apart. */
  readonly reasoningTokens: number | null;
  /** The members of the request's body by which it asks for thoughts, as JSON; null when there are none. */
  readonly asksFor: string | null;
}

const TIMEOUTS = { totalMs: 120_000, firstChunkMs: 120_000, chunkMs: 60_000 }; // a local model is loaded first

const input = z.strictObject({ word: z.string() });

/**
 * Asks a model to call a tool, which agents cannot work without, with the thoughts of its stage. A server that was started without a parser for its calls
 * answers in text, and nothing else tells so before an issue fails.
 *
 * @throws AppError `model_*` when the model fails
 */
export async function tryToolCall(choice: ModelChoice): Promise<ToolTrial> {
  const sent: Record<string, unknown> = {};
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
    { ...choice, model: withBodySeen(choice.model, (body) => Object.assign(sent, thinkingMembers(body))) },
  );
  const isCalled = messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-call' && input.safeParse(part.input).success),
  );
  const { inputTokens, outputTokens } = usage;
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  return {
    isCalled,
    tokens: isCounted ? inputTokens + outputTokens : null,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens ?? null,
    asksFor: Object.keys(sent).length === 0 ? null : JSON.stringify(sent),
  };
}

/** The model, and a look at the body of each request that is answered. */
function withBodySeen(model: LanguageModelV4, onBody: (body: unknown) => void): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const answer = await doStream();
        onBody(answer.request?.body);
        return answer;
      },
    },
  });
}

/** By these members, vendors let a model think. Of Anthropic's `output_config`, the rest is the form of the answer. */
const THINKING = [
  'thinking',
  'output_config',
  'reasoning',
  'reasoning_effort',
  'chat_template_kwargs',
  'enable_thinking',
];

function thinkingMembers(body: unknown): Record<string, unknown> {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(members.filter(([name, value]) => THINKING.includes(name) && value !== undefined));
}
