import { wrapLanguageModel } from 'ai';
import * as z from 'zod';
import { shortenEnd } from '../tools/shorten.ts';
import { askModel } from './ask-model.ts';
import type { ModelChoice } from './model-choice.ts';

/** The outcome of a request that asks for nothing but a call. */
export interface ToolTrial {
  readonly isCalled: boolean;
  /** Tokens of the request and its answer; null when the server does not report them. */
  readonly tokens: number | null;
  /** Tokens of its thoughts; null when the server does not report them. */
  readonly thoughtTokens: number | null;
  /** How it was asked, beside the conversation and the tool: `reasoning_effort "high"`. */
  readonly sent: readonly string[];
  /** What its server has refused of the form, and how it is asked since. */
  readonly refused: readonly string[];
}

const TIMEOUTS = { totalMs: 120_000, firstChunkMs: 120_000, chunkMs: 60_000 }; // a local model is loaded first

const input = z.strictObject({ word: z.string() });

/**
 * Asks a model to call a tool, which agents cannot work without, with the thoughts of its stage. A server that was
 * started without a parser for its calls answers in text, and nothing else tells so before an issue fails.
 *
 * @throws AppError `model_*` when the model fails
 */
export async function tryToolCall(choice: ModelChoice): Promise<ToolTrial> {
  let body: unknown;
  const model = wrapLanguageModel({
    model: choice.model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const answer = await doStream();
        body = answer.request?.body;
        return answer;
      },
    },
  });
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
    { ...choice, model },
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
    thoughtTokens: usage.outputTokenDetails.reasoningTokens ?? null,
    sent: shownMembers(body),
    refused: choice.refusedForms?.() ?? [],
  };
}

/** Members of every request, which say nothing of how this model is asked. */
const OF_EVERY_REQUEST: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'input', 'instructions', 'system', 'tools', 'tool_choice'],
  ...['contents', 'systemInstruction', 'toolConfig'],
  ...['stream', 'store', 'prompt_cache_key', 'include'],
]);

const MAX_SHOWN_CHARACTERS = 80; // a member is a word or a small object

/** @param given an object, or its JSON text: packages differ */
function shownMembers(given: unknown): string[] {
  const body: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  if (typeof body !== 'object' || body === null) return [];
  const members = Object.entries(body).filter(([name, value]) => !OF_EVERY_REQUEST.has(name) && value !== undefined);
  return members.map(([name, value]) => shortenEnd(`${name} ${JSON.stringify(value)}`, MAX_SHOWN_CHARACTERS));
}
