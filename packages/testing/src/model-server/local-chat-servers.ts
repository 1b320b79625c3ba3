// Servers that run on one's own machine: vLLM, SGLang, Ollama, llama.cpp and LM Studio.
import { chatDialect } from './chat-dialect.ts';
import { badRequest, oneOf, openAiError, openAiUsage } from './chat-rules.ts';
import { bearer, type Json, type Refusal, type WireServer } from './wire-server.ts';

const chat = /\/chat\/completions$/;

const vllmSource = {
  source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py',
};
const vllmEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** An error of the checks that pydantic makes, as the server prints it. */
const pydantic = (loc: string, expected: string, value: unknown): Refusal => ({
  status: 400,
  type: 'Bad Request',
  message: `[{'type': 'literal_error', 'loc': ('body', '${loc}'), 'msg': "Input should be ${expected}", 'input': '${value}'}]`,
});
const templateThinks = (body: Json) =>
  body.chat_template_kwargs?.enable_thinking !== false && body.chat_template_kwargs?.thinking !== false;

export const vllm: WireServer = {
  name: 'vllm',
  maker: 'vLLM',
  model: 'Qwen/Qwen3.6-35B-A3B',
  path: chat,
  dialect: chatDialect({
    server: 'vllm',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `chatcmpl-tool-${number}x${index}`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      total_tokens: input + thinking + output,
      completion_tokens: thinking + output,
    }),
  }),
  thinks: { ...vllmSource, when: templateThinks },
  thoughtsBack: {
    source: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs/',
    are: 'expected',
  },
  rules: [
    oneOf(vllmSource, ['reasoning_effort', vllmEfforts], (value) =>
      pydantic('reasoning_effort', vllmEfforts.map((one) => `'${one}'`).join(', '), value),
    ),
    oneOf(vllmSource, ['tool_choice', ['none', 'auto', 'required']], (value) =>
      pydantic('tool_choice', "'none', 'auto' or 'required'", value),
    ),
    {
      ...vllmSource,
      demands: '`stream_options` comes with `stream` alone',
      refuse: (body) =>
        body.stream_options !== undefined && body.stream !== true
          ? { status: 400, message: 'Stream options can only be defined when `stream=True`.' }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/engine/serving.py',
    tokens: 131_072,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      param: 'input_tokens',
      message:
        tokens > window
          ? `This model's maximum context length is ${window} tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`
          : `'max_tokens' or 'max_completion_tokens' is too large: ${answer}. This model's maximum context length is ${window} tokens and your request has ${tokens} input tokens (${answer} > ${window} - ${tokens}).`,
    }),
  },
  busy: {
    wording: 'assumed',
    ...vllmSource,
    status: 503,
    message: 'The server is overloaded.',
    type: 'ServiceUnavailable',
  },
  badKey: { wording: 'assumed', ...vllmSource, status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type, param }) =>
    status === 401
      ? { error: message }
      : { error: { message, type: type ?? 'BadRequestError', param: param ?? null, code: status } },
};

const sglangSource = {
  source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/protocol.py',
};

export const sglang: WireServer = {
  name: 'sglang',
  maker: 'SGLang',
  model: 'deepseek-ai/DeepSeek-V3.2',
  path: chat,
  dialect: chatDialect({
    server: 'sglang',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `call_${number}${index}9f3c`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      total_tokens: input + thinking + output,
      completion_tokens: thinking + output,
      prompt_tokens_details: null,
      reasoning_tokens: thinking,
    }),
  }),
  thinks: { ...sglangSource, when: (body) => body.chat_template_kwargs?.thinking === true },
  thoughtsBack: { ...sglangSource, are: 'ignored' },
  rules: [
    oneOf(sglangSource, ['reasoning_effort', vllmEfforts], (value) =>
      pydantic('reasoning_effort', vllmEfforts.map((one) => `'${one}'`).join(', '), value),
    ),
    {
      ...sglangSource,
      demands: 'a message of the assistant has `reasoning_content`, where it has it, as a string',
      refuse: (body) =>
        (body.messages as Json[]).some(
          ({ reasoning_content: thought }) => thought !== undefined && thought !== null && typeof thought !== 'string',
        )
          ? { status: 400, message: 'Input should be a valid string' }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/tokenizer_manager.py',
    tokens: 131_072,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      message:
        tokens > window
          ? `The input (${tokens} tokens) is longer than the model's context length (${window} tokens).`
          : `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${tokens + answer} tokens: ${tokens} tokens from the input messages and ${answer} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`,
    }),
  },
  busy: {
    wording: 'assumed',
    ...sglangSource,
    status: 503,
    message: 'The request queue is full.',
    type: 'ServiceUnavailable',
  },
  badKey: { wording: 'assumed', ...sglangSource, status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type }) =>
    status === 401
      ? { error: message }
      : { object: 'error', message, type: type ?? 'BadRequestError', param: null, code: status },
};

const ollamaSource = { source: 'https://github.com/ollama/ollama/blob/main/openai/openai.go' };

export const ollama: WireServer = {
  name: 'ollama',
  maker: 'Ollama',
  model: 'gpt-oss:20b',
  path: chat,
  dialect: chatDialect({
    server: 'ollama',
    place: () => 'reasoning',
    calls: 'whole',
    usage: 'asked',
    callId: (number, index) => `call_${number}k${index}zq7w`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      completion_tokens: thinking + output,
      total_tokens: input + thinking + output,
    }),
    chunk: { system_fingerprint: 'fp_ollama' },
  }),
  thinks: { ...ollamaSource, when: (body) => (body.reasoning?.effort ?? body.reasoning_effort) !== 'none' },
  // The message of a request has a member `reasoning`, which is shown to the model as its thought.
  thoughtsBack: { ...ollamaSource, are: 'expected' },
  rules: [
    oneOf(ollamaSource, ['reasoning_effort', ['high', 'medium', 'low', 'max', 'none']], (value) =>
      badRequest(`invalid reasoning value: '${value}' (must be "high", "medium", "low", "max", or "none")`),
    ),
    {
      ...ollamaSource,
      demands: 'the content of a message is a text, a list of parts, or absent beside tool calls',
      refuse: (body) =>
        (body.messages as Json[]).some(
          ({ content, tool_calls: calls }) =>
            typeof content !== 'string' && !Array.isArray(content) && calls === undefined,
        )
          ? badRequest('invalid message content type: <nil>')
          : null,
    },
    {
      ...ollamaSource,
      demands: 'the arguments of a tool call are JSON',
      refuse: (body) =>
        (body.messages as Json[])
          .flatMap(({ tool_calls: calls }) => (calls ?? []) as Json[])
          .some((call) => !isJsonObject(call.function.arguments))
          ? badRequest('invalid tool call arguments')
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/ollama/ollama/blob/main/server/prompt.go',
    tokens: 131_072,
    holdsAnswer: false,
    refuse: (tokens, window) => badRequest(`prompt too long; exceeded max context length by ${tokens - window} tokens`),
  },
  busy: {
    wording: 'assumed',
    source: 'https://github.com/ollama/ollama/blob/main/server/sched.go',
    status: 503,
    message: 'server busy, please try again.  maximum pending requests exceeded',
    type: 'api_error',
  },
  badKey: { wording: 'assumed', ...ollamaSource, status: 401, message: 'unauthorized', type: 'api_error' },
  keyOf: bearer,
  errorBody: openAiError,
};

function isJsonObject(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const llamaReadme = { source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md' };

export const llamaCpp: WireServer = {
  name: 'llama.cpp',
  maker: 'llama.cpp',
  model: 'qwen3.6-35b-a3b',
  path: chat,
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

const lmStudioPage = { source: 'https://lmstudio.ai/docs/developer/openai-compat/chat-completions' };

export const lmStudio: WireServer = {
  name: 'lmstudio',
  maker: 'LM Studio',
  model: 'openai/gpt-oss-20b',
  path: chat,
  dialect: chatDialect({
    server: 'lmstudio',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `${300_000_000 + number * 10 + index}`,
    usageOf: openAiUsage,
  }),
  thinks: { ...lmStudioPage, when: (body) => body.reasoning_effort !== 'none' },
  thoughtsBack: { ...lmStudioPage, are: 'ignored' },
  rules: [
    {
      ...lmStudioPage,
      demands: '`tool_choice` is a word',
      refuse: (body) =>
        typeof body.tool_choice === 'object' && body.tool_choice !== null
          ? {
              status: 400,
              message: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
            }
          : null,
    },
    {
      ...lmStudioPage,
      demands: '`response_format` is a schema or a text',
      refuse: (body) =>
        body.response_format?.type === 'json_object'
          ? { status: 400, message: "'response_format.type' must be 'json_schema' or 'text'" }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://lmstudio.ai/docs/developer/openai-compat/chat-completions',
    tokens: 32_768,
    holdsAnswer: false,
    refuse: (tokens, window) => ({
      status: 400,
      message: `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${tokens} >= n_ctx: ${window}). Try to load the model with a larger context length, or provide a shorter input.`,
    }),
  },
  busy: { wording: 'assumed', ...lmStudioPage, status: 503, message: 'Model is loading' },
  badKey: {
    wording: 'assumed',
    ...lmStudioPage,
    status: 401,
    message: 'Malformed LM Studio API token provided',
  },
  keyOf: bearer,
  errorBody: ({ message }) => ({ error: message }),
};
