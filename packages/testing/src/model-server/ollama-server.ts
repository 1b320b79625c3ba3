import { chatDialect, chatPath } from './chat-dialect.ts';
import { badRequest, oneOf, openAiError } from './chat-rules.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const ollamaSource = { source: 'https://github.com/ollama/ollama/blob/main/openai/openai.go' };

export const ollama: WireServer = {
  name: 'ollama',
  maker: 'Ollama',
  model: 'gpt-oss:20b',
  path: chatPath,
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
