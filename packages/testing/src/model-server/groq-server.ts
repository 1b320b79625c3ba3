import { chatDialect, chatPath } from './chat-dialect.ts';
import {
  badRequest,
  callsAreAnswered,
  oneOf,
  onlyMembers,
  onlyMessageMembers,
  openAiError,
  openAiUsage,
  plainMembers,
  plainMessage,
} from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const groqSdk = {
  source: 'https://github.com/groq/groq-typescript/blob/main/src/resources/chat/completions.ts',
};
const groqReasoning = { source: 'https://console.groq.com/docs/reasoning' };

export const groq: WireServer = {
  name: 'groq',
  maker: 'Groq',
  model: 'openai/gpt-oss-120b',
  path: chatPath,
  dialect: chatDialect({
    server: 'groq',
    place: () => 'reasoning',
    calls: 'whole',
    usage: 'asked',
    ending: (usage) => ({ x_groq: { id: 'req_01', usage } }),
    callId: (number, index) => `fc_${number}x${index}`,
    usageOf: (tokens) => ({ ...openAiUsage(tokens), queue_time: 0.01, total_time: 0.2 }),
  }),
  thinks: { ...groqReasoning, when: () => true },
  thoughtsBack: { ...groqSdk, are: 'ignored' },
  rules: [
    onlyMembers(
      groqSdk,
      [
        ...plainMembers,
        ...['max_completion_tokens', 'stream_options', 'parallel_tool_calls', 'reasoning_effort', 'reasoning_format'],
        ...['include_reasoning', 'seed', 'n', 'user', 'store', 'metadata', 'service_tier', 'logprobs', 'top_logprobs'],
        ...['logit_bias', 'functions', 'function_call'],
      ],
      ({ name }) => badRequest(`property '${name}' is unsupported`),
    ),
    onlyMessageMembers(
      { source: 'https://github.com/janhq/jan/issues/8136' },
      {
        system: plainMessage.system,
        user: plainMessage.user,
        tool: ['role', 'content', 'tool_call_id'],
        assistant: [...plainMessage.assistant, 'function_call', 'reasoning'],
      },
      ({ name, index, role }) =>
        badRequest(
          `'messages.${index}' : for 'role:${role}' the following must be satisfied[('messages.${index}' : property '${name}' is unsupported)]`,
        ),
    ),
    callsAreAnswered(groqSdk),
    oneOf(groqReasoning, ['reasoning_effort', ['low', 'medium', 'high']], () =>
      badRequest('`reasoning_effort` must be one of `low`, `medium`, or `high`'),
    ),
    {
      ...groqReasoning,
      demands: '`reasoning_format` is not sent to gpt-oss, nor beside `include_reasoning`',
      refuse: (body) =>
        body.reasoning_format === undefined ? null : badRequest('`reasoning_format` is not supported with this model'),
    },
    {
      source: 'https://console.groq.com/docs/structured-outputs',
      demands: 'no schema of the answer beside tools or in a stream',
      refuse: (body) =>
        body.response_format?.type === 'json_schema' && (body.tools !== undefined || body.stream === true)
          ? badRequest('json mode cannot be combined with tool/function calling')
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://console.groq.com/docs/errors',
    tokens: 131_072,
    holdsAnswer: false,
    refuse: () =>
      badRequest('Please reduce the length of the messages or completion.', {
        param: 'messages',
        code: 'context_length_exceeded',
      }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://console.groq.com/docs/errors',
    status: 503,
    message: 'openai/gpt-oss-120b is currently over capacity. Please try again and back off exponentially.',
    type: 'internal_server_error',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://console.groq.com/docs/errors',
    status: 401,
    message: 'Invalid API Key',
    code: 'invalid_api_key',
  },
  keyOf: bearer,
  errorBody: openAiError,
};
