import type { ServerResponse } from 'node:http';
import { stream } from './vendor-server.ts';

/** One vendor's bytes for the same story: a few words, and how the story ends. */
export interface WireFormat {
  readonly provider: 'anthropic' | 'openai' | 'compatible';
  readonly name: string;
  /** Starts an answer and says `words`, without an end. */
  begin(response: ServerResponse, words: string): void;
  /** Says these words whole, with 1,000 tokens in, 600 of them from the cache, and 50 out. */
  whole(response: ServerResponse, words: string): void;
  /** Fails in the middle of a stream. */
  fail(response: ServerResponse, error: { readonly type: string; readonly message: string }): void;
  /** Says `Half`, and ends so. */
  endEarly(response: ServerResponse, why: 'withheld' | 'capped'): void;
}

const anthropicStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 300, cache_read_input_tokens: 600, cache_creation_input_tokens: 100, output_tokens: 1 },
  },
};

function anthropicEnd(response: ServerResponse, stop: string): void {
  stream(response, [
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 50 } },
    { type: 'message_stop' },
  ]);
  response.end();
}

const anthropic: WireFormat = {
  provider: 'anthropic',
  name: 'anthropic/claude-haiku-4-5',
  begin(response, words) {
    stream(response, [
      anthropicStart,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
    ]);
  },
  whole(response, words) {
    anthropic.begin(response, words);
    stream(response, [{ type: 'content_block_stop', index: 0 }]);
    anthropicEnd(response, 'end_turn');
  },
  fail(response, error) {
    stream(response, [{ type: 'error', error }]);
    response.end();
  },
  endEarly(response, why) {
    anthropic.begin(response, 'Half');
    stream(response, [{ type: 'content_block_stop', index: 0 }]);
    anthropicEnd(response, why === 'withheld' ? 'refusal' : 'max_tokens');
  },
};

const responsesHead = { id: 'resp_1', object: 'response', created_at: 1_780_000_000, model: 'gpt-5-mini', output: [] };
const responsesUsage = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 600 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 1_050,
};

const openai: WireFormat = {
  provider: 'openai',
  name: 'openai/gpt-5-mini',
  begin(response, words) {
    stream(response, [
      { type: 'response.created', response: { ...responsesHead, status: 'in_progress' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: words },
    ]);
  },
  whole(response, words) {
    openai.begin(response, words);
    stream(response, [
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: words, annotations: [] }],
        },
      },
      { type: 'response.completed', response: { ...responsesHead, status: 'completed', usage: responsesUsage } },
    ]);
    response.end();
  },
  fail(response, { type, message }) {
    stream(response, [
      { type: 'response.failed', response: { ...responsesHead, status: 'failed', error: { code: type, message } } },
    ]);
    response.end();
  },
  endEarly(response, why) {
    openai.begin(response, 'Half');
    stream(response, [
      {
        type: 'response.incomplete',
        response: {
          ...responsesHead,
          status: 'incomplete',
          incomplete_details: { reason: why === 'withheld' ? 'content_filter' : 'max_output_tokens' },
          usage: responsesUsage,
        },
      },
    ]);
    response.end();
  },
};

function chatChunk(choice: Record<string, unknown>): Record<string, unknown> {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'qwen3:32b',
    choices: [{ index: 0, ...choice }],
  };
}

function chatEnd(response: ServerResponse, reason: string): void {
  const usage = {
    prompt_tokens: 1_000,
    prompt_tokens_details: { cached_tokens: 600 },
    completion_tokens: 50,
    total_tokens: 1_050,
  };
  stream(response, [chatChunk({ delta: {}, finish_reason: reason }), { ...chatChunk({}), choices: [], usage }]);
  response.end('data: [DONE]\n\n');
}

const compatible: WireFormat = {
  provider: 'compatible',
  name: 'compatible/hf.co/qwen/qwen3:32b',
  begin(response, words) {
    stream(response, [chatChunk({ delta: { role: 'assistant', content: words } })]);
  },
  whole(response, words) {
    compatible.begin(response, words);
    chatEnd(response, 'stop');
  },
  fail(response, { type, message }) {
    stream(response, [{ error: { message, code: type } }]);
    response.end();
  },
  endEarly(response, why) {
    compatible.begin(response, 'Half');
    chatEnd(response, why === 'withheld' ? 'content_filter' : 'length');
  },
};

export const wireFormats: readonly WireFormat[] = [anthropic, openai, compatible];
