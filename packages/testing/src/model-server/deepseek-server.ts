import { chatDialect, chatPath } from './chat-dialect.ts';
import {
  badRequest,
  callsAreAnswered,
  noForcedTool,
  oneOf,
  openAiError,
  openAiUsage,
  thoughtWithCalls,
} from './chat-rules.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const deepSeekGuide = { source: 'https://api-docs.deepseek.com/guides/thinking_mode' };
const deepSeekThinks = (body: Json) => body.thinking?.type !== 'disabled';

export const deepSeek: WireServer = {
  name: 'deepseek',
  maker: 'DeepSeek',
  model: 'deepseek-v4-pro',
  path: chatPath,
  dialect: chatDialect({
    server: 'deepseek',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `call_00_${number}_${index}`,
    usageOf: (tokens) => ({
      ...openAiUsage(tokens),
      prompt_cache_hit_tokens: 0,
      prompt_cache_miss_tokens: tokens.input,
    }),
  }),
  thinks: { ...deepSeekGuide, when: deepSeekThinks },
  thoughtsBack: { ...deepSeekGuide, are: 'required' },
  rules: [
    callsAreAnswered(deepSeekGuide),
    thoughtWithCalls(deepSeekGuide, { thinks: deepSeekThinks, member: 'reasoning_content' }, () =>
      badRequest('The `reasoning_content` in the thinking mode must be passed back to the API.', {
        code: 'invalid_request_error',
      }),
    ),
    oneOf(deepSeekGuide, ['thinking.type', ['enabled', 'disabled']], (value) =>
      badRequest(`thinking.type: unknown variant \`${value}\`, expected \`enabled\` or \`disabled\``, {
        code: 'invalid_request_error',
      }),
    ),
    oneOf(deepSeekGuide, ['reasoning_effort', ['low', 'medium', 'high', 'xhigh', 'max']], (value) =>
      badRequest(`reasoning_effort: unknown variant \`${value}\``, { code: 'invalid_request_error' }),
    ),
    noForcedTool({ ...deepSeekGuide, wording: 'quoted' }, deepSeekThinks, () =>
      badRequest('Thinking mode does not support this tool_choice', { code: 'invalid_request_error' }),
    ),
    oneOf(
      { source: 'https://api-docs.deepseek.com/guides/json_mode', wording: 'quoted' },
      ['response_format.type', ['text', 'json_object']],
      () => badRequest('This response_format type is unavailable now', { code: 'invalid_request_error' }),
    ),
  ],
  window: {
    wording: 'quoted',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    tokens: 1_048_576,
    holdsAnswer: true,
    refuse: (tokens, window, answer) =>
      badRequest(
        `This model's maximum context length is ${window} tokens. However, you requested ${tokens + answer} tokens (${tokens} in the messages, ${answer} in the completion). Please reduce the length of the messages or completion.`,
        { code: 'invalid_request_error' },
      ),
  },
  busy: {
    wording: 'assumed',
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
    status: 503,
    message: 'Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.',
    type: 'service_unavailable_error',
    code: 'service_unavailable_error',
  },
  badKey: {
    wording: 'quoted',
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
    status: 401,
    message: 'Authentication Fails, Your api key: ****0000 is invalid',
    type: 'authentication_error',
    code: 'invalid_request_error',
  },
  keyOf: bearer,
  errorBody: openAiError,
};
