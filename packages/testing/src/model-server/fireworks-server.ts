import { chatDialect, chatPath, usualCallId } from './chat-dialect.ts';
import {
  badRequest,
  callsAreAnswered,
  oneOf,
  onlyMembers,
  onlyMessageMembers,
  openAiUsage,
  plainMembers,
  plainMessage,
} from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const fireworksReference = { source: 'https://docs.fireworks.ai/api-reference/post-chatcompletions.md' };
const fireworksReasoning = { source: 'https://docs.fireworks.ai/guides/reasoning' };

export const fireworks: WireServer = {
  name: 'fireworks',
  maker: 'Fireworks',
  model: 'accounts/fireworks/models/gpt-oss-120b',
  path: chatPath,
  dialect: chatDialect({
    server: 'fireworks',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'always',
    callId: usualCallId,
    usageOf: openAiUsage,
  }),
  thinks: { ...fireworksReasoning, when: (body) => body.reasoning_effort !== 'none' },
  thoughtsBack: { ...fireworksReasoning, are: 'expected' },
  rules: [
    onlyMembers(
      fireworksReference,
      [
        ...plainMembers,
        ...['max_completion_tokens', 'stream_options', 'parallel_tool_calls', 'reasoning_effort', 'thinking', 'n'],
        ...['reasoning_history', 'seed', 'user', 'top_k', 'min_p', 'logprobs', 'top_logprobs', 'logit_bias', 'echo'],
        ...['context_length_exceeded_behavior', 'prompt_cache_key', 'prompt_truncate_len', 'service_tier', 'metadata'],
      ],
      ({ name, value }) =>
        badRequest(`Extra inputs are not permitted, field: '${name}', value: ${JSON.stringify(value)}`),
    ),
    onlyMessageMembers(
      { source: 'https://github.com/earendil-works/pi/issues/4514' },
      { ...plainMessage, assistant: [...plainMessage.assistant, 'reasoning_content', 'tool_call_id'] },
      ({ name, value, index }) =>
        badRequest(
          `Extra inputs are not permitted, field: 'messages[${index}].${name}', value: ${JSON.stringify(value)}`,
        ),
    ),
    callsAreAnswered(fireworksReference),
    oneOf(fireworksReasoning, ['reasoning_effort', ['none', 'low', 'medium', 'high']], (value) =>
      badRequest(`Invalid reasoning_effort: ${value}`),
    ),
  ],
  window: {
    wording: 'assumed',
    ...fireworksReference,
    tokens: 131_072,
    holdsAnswer: false,
    refuse: (tokens, window) =>
      badRequest(`The prompt is too long: ${tokens}, model maximum context length: ${window}`),
  },
  busy: {
    wording: 'assumed',
    source: 'https://docs.fireworks.ai/guides/inference-error-codes',
    status: 503,
    message: 'Service overloaded, please try again later',
    type: 'server_error',
    code: 'server_error',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://docs.fireworks.ai/guides/inference-error-codes',
    status: 401,
    message: 'The API key you provided is invalid.',
    type: 'unauthorized',
    code: 'unauthorized',
  },
  keyOf: bearer,
  errorBody: ({ message, type, code }) => ({
    error: { object: 'error', type: type ?? 'invalid_request_error', code: code ?? 'invalid_request_error', message },
  }),
};
