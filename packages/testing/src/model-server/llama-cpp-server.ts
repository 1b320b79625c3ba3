import { chatDialect, chatPath } from './chat-dialect.ts';
import { templateThinks } from './vllm-server.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const llamaReadme = { source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md' };

export const llamaCpp: WireServer = {
  name: 'llama.cpp',
  maker: 'llama.cpp',
  model: 'qwen3.6-35b-a3b',
  path: chatPath,
  dialect: chatDialect({
    server: 'llama.cpp',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `${number}Hq${index}v8LkZ0pX3`,
    usageOf: ({ input, thinking, output }) => ({
      completion_tokens: thinking + output,
      prompt_tokens: input,
      total_tokens: input + thinking + output,
    }),
  }),
  thinks: { ...llamaReadme, when: templateThinks },
  thoughtsBack: { ...llamaReadme, are: 'expected' },
  rules: [
    {
      ...llamaReadme,
      demands: '`tool_choice` is a word',
      refuse: (body) =>
        typeof body.tool_choice === 'object' && body.tool_choice !== null
          ? { status: 400, message: 'Invalid tool_choice: expected a string' }
          : null,
    },
    {
      ...llamaReadme,
      demands: 'an assistant message has content or tool calls',
      refuse: (body) =>
        (body.messages as Json[]).some(
          (message) =>
            message.role === 'assistant' && message.content === undefined && message.tool_calls === undefined,
        )
          ? { status: 400, message: "Assistant message must contain either 'content' or 'tool_calls'!" }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp',
    tokens: 65_536,
    holdsAnswer: false,
    refuse: (tokens, window) => ({
      status: 400,
      type: 'exceed_context_size_error',
      message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      more: { n_prompt_tokens: tokens, n_ctx: window },
    }),
  },
  busy: { wording: 'assumed', ...llamaReadme, status: 503, message: 'Loading model', type: 'unavailable_error' },
  badKey: { wording: 'assumed', ...llamaReadme, status: 401, message: 'Invalid API Key', type: 'authentication_error' },
  keyOf: bearer,
  errorBody: ({ status, message, type, more }) => ({
    error: { code: status, message, type: type ?? 'invalid_request_error', ...more },
  }),
};
