import { chatDialect, chatPath, usualCallId } from './chat-dialect.ts';
import {
  badRequest,
  callsAreAnswered,
  onlyMembers,
  onlyMessageMembers,
  openAiError,
  openAiUsage,
  plainMembers,
  plainMessage,
} from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const openAiChatPage = { source: 'https://platform.openai.com/docs/api-reference/chat/create' };
const unsupported = (name: string, instead: string) =>
  badRequest(`Unsupported parameter: '${name}' is not supported with this model.${instead}`, {
    param: name,
    code: 'unsupported_parameter',
  });

export const openAiChat: WireServer = {
  name: 'openai-chat',
  maker: 'OpenAI',
  model: 'gpt-5.4',
  path: chatPath,
  dialect: chatDialect({
    server: 'openai-chat',
    // The vendor's chat completions show no thoughts.
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: usualCallId,
    usageOf: openAiUsage,
  }),
  thinks: { ...openAiChatPage, when: () => false },
  thoughtsBack: { ...openAiChatPage, are: 'closed' },
  rules: [
    onlyMembers(
      openAiChatPage,
      [
        ...plainMembers,
        ...['max_completion_tokens', 'stream_options', 'parallel_tool_calls', 'reasoning_effort', 'seed', 'n', 'user'],
        ...['store', 'metadata', 'service_tier', 'prompt_cache_key', 'safety_identifier', 'verbosity', 'logprobs'],
        ...['top_logprobs', 'logit_bias', 'modalities', 'prediction', 'prompt_cache_retention'],
      ],
      ({ name }) => badRequest(`Unknown parameter: '${name}'.`, { param: name, code: 'unknown_parameter' }),
    ),
    onlyMessageMembers(
      openAiChatPage,
      { ...plainMessage, developer: plainMessage.system, assistant: [...plainMessage.assistant, 'refusal', 'audio'] },
      ({ name, index }) =>
        badRequest(`Unknown parameter: 'messages[${index}].${name}'.`, {
          param: `messages[${index}].${name}`,
          code: 'unknown_parameter',
        }),
    ),
    callsAreAnswered(openAiChatPage),
    {
      source: 'https://github.com/OpenHands/software-agent-sdk/issues/1837',
      demands: '`max_completion_tokens` instead of `max_tokens`, and no `temperature`',
      refuse: (body) => {
        if (body.max_tokens !== undefined) return unsupported('max_tokens', " Use 'max_completion_tokens' instead.");
        return body.temperature === undefined || body.temperature === 1 ? null : unsupported('temperature', '');
      },
    },
    {
      source: 'https://github.com/openai/openai-openapi/issues/541',
      demands: 'no effort beside function tools',
      refuse: (body) =>
        body.tools !== undefined && body.reasoning_effort !== undefined && body.reasoning_effort !== 'none'
          ? badRequest(
              'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
              { param: 'reasoning_effort' },
            )
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    ...openAiChatPage,
    tokens: 400_000,
    holdsAnswer: true,
    refuse: (tokens, window, answer) =>
      badRequest(
        `This model's maximum context length is ${window} tokens. However, you requested ${tokens + answer} tokens (${tokens} in the messages, ${answer} in the completion). Please reduce the length of the messages or completion.`,
        { param: 'messages', code: 'context_length_exceeded' },
      ),
  },
  busy: {
    wording: 'assumed',
    source: 'https://platform.openai.com/docs/guides/error-codes',
    status: 503,
    message: 'The engine is currently overloaded, please try again later',
    type: 'server_error',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://platform.openai.com/docs/guides/error-codes',
    status: 401,
    message:
      'Incorrect API key provided: sk-0000. You can find your API key at https://platform.openai.com/account/api-keys.',
    code: 'invalid_api_key',
  },
  keyOf: bearer,
  errorBody: openAiError,
};
