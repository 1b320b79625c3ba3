import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { AppError } from '@sluice/core/error';
import type { ModelChoice } from '../../src/models/model-choice.ts';

interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  /** JSON as the model wrote it, or a value to write as JSON. */
  readonly input: unknown;
}

export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: 'stop' | 'length' | 'tool-calls' | 'content-filter';
  /** What the server counts; 100 by default. */
  readonly inputTokens?: number;
  /** Ends the stream with this error. */
  readonly error?: Error;
  /** Fails before the stream begins. */
  readonly refuses?: Error;
  /** Never begins a stream. */
  readonly silent?: boolean;
  /** Never ends the stream after the text. */
  readonly hang?: boolean;
}

/** The turn by which a coder ends. */
export function finished(summary: string, outcome: 'done' | 'blocked' = 'done'): ScriptedTurn {
  return { calls: [{ id: 'end', tool: 'finish', input: { outcome, summary } }] };
}

/** A model that plays a script: its n-th answer is the n-th turn, whatever process asks. */
export function scriptedModel(
  script: (answered: number, prompt: LanguageModelV4CallOptions['prompt']) => ScriptedTurn,
) {
  /** How many answers each request already held. */
  const requests: number[] = [];
  /** The prompt of each request, without the settings. */
  const prompts: LanguageModelV4CallOptions['prompt'][] = [];
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      throw new Error('The loop streams.');
    },
    async doStream({ prompt }) {
      const answered = prompt.filter((message) => message.role === 'assistant').length;
      requests.push(answered);
      prompts.push(structuredClone(prompt));
      const turn = script(answered, prompt);
      if (turn.refuses !== undefined) throw turn.refuses;
      return turn.silent ? await new Promise(() => {}) : { stream: streamOf(turn) };
    },
  };
  return { model, requests, prompts };
}

/** A scripted model as a role's choice. What it throws comes out as it is when it is a failure of ours. */
export function scriptedChoice(model: LanguageModelV4, other: Partial<ModelChoice> = {}): ModelChoice {
  return {
    model,
    name: 'test/scripted',
    label: 'scripted',
    contextTokens: null,
    maxOutputTokens: null,
    costUsd: () => null,
    failureOf: (error) => {
      if (error instanceof AppError) return error;
      return new AppError('model_unavailable', { detail: String(error) }, { cause: error });
    },
    ...other,
  };
}

function streamOf({
  text,
  calls = [],
  finish,
  inputTokens = 100,
  error,
  hang,
}: ScriptedTurn): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [{ type: 'other', message: 'seen by nobody' }] });
      if (text !== undefined) {
        controller.enqueue({ type: 'text-start', id: 't' });
        controller.enqueue({ type: 'text-delta', id: 't', delta: text });
        if (hang) return;
        controller.enqueue({ type: 'text-end', id: 't' });
      }
      for (const { id, tool, input } of calls) {
        const json = typeof input === 'string' ? input : JSON.stringify(input);
        controller.enqueue({ type: 'tool-call', toolCallId: id, toolName: tool, input: json });
      }
      if (error !== undefined) {
        controller.enqueue({ type: 'error', error });
      } else {
        controller.enqueue({
          type: 'finish',
          finishReason: { unified: finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'), raw: undefined },
          usage: {
            inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 10, text: 10, reasoning: 0 },
          },
        });
      }
      controller.close();
    },
  });
}
