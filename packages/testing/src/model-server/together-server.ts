import { chatDialect, chatPath, usualCallId } from './chat-dialect.ts';
import { badRequest, callsAreAnswered, oneOf, openAiError, openAiUsage } from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const togetherPage = { source: 'https://docs.together.ai/docs/kimi-k2-thinking-quickstart' };
const togetherApi = { source: 'https://github.com/togethercomputer/openapi/blob/main/openapi.yaml' };

export const together: WireServer = {
  name: 'together',
  maker: 'Together',
  model: 'openai/gpt-oss-120b',
  path: chatPath,
  dialect: chatDialect({
    server: 'together',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'always',
    callId: usualCallId,
    usageOf: openAiUsage,
  }),
  thinks: { ...togetherPage, when: (body) => body.reasoning?.enabled !== false },
  thoughtsBack: { source: 'https://github.com/togethercomputer/openapi/pull/132', are: 'ignored' },
  rules: [
    callsAreAnswered(togetherApi),
    oneOf(togetherApi, ['reasoning_effort', ['low', 'medium', 'high']], (value) =>
      badRequest(`Invalid value for reasoning_effort: ${value}`, { param: 'reasoning_effort' }),
    ),
  ],
  window: {
    wording: 'quoted',
    ...togetherApi,
    tokens: 131_072,
    holdsAnswer: false,
    refuse: (tokens, window) =>
      badRequest(`The input (${tokens} tokens) is longer than the model's context length (${window} tokens).`),
  },
  busy: {
    wording: 'assumed',
    ...togetherApi,
    status: 503,
    message: 'The server is overloaded or not ready yet.',
    type: 'server_error',
  },
  badKey: {
    wording: 'assumed',
    ...togetherApi,
    status: 401,
    message: 'Invalid API key provided. You can find your API key at https://api.together.xyz/settings/api-keys.',
    code: 'invalid_api_key',
  },
  keyOf: bearer,
  errorBody: (refusal) => ({ id: 'o1a2b3', ...openAiError(refusal) }),
};
