// DeepSeek, Moonshot, Z.AI, MiniMax and Alibaba: models that think by a switch of their vendor's own.
import { chatDialect } from './chat-dialect.ts';
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

const chat = /\/chat\/completions$/;
const callId = (prefix: string) => (number: number, index: number) => `${prefix}_${number}_${index}`;

const deepSeekGuide = { source: 'https://api-docs.deepseek.com/guides/thinking_mode' };
const deepSeekThinks = (body: Json) => body.thinking?.type !== 'disabled';

export const deepSeek: WireServer = {
  name: 'deepseek',
  maker: 'DeepSeek',
  model: 'deepseek-v4-pro',
  path: chat,
  dialect: chatDialect({
    server: 'deepseek',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: callId('call_00'),
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

const kimiGuide = { source: 'https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model' };
const kimiChat = { source: 'https://platform.kimi.ai/docs/api/chat.md' };
const kimiThinks = (body: Json) => body.thinking?.type !== 'disabled';

export const kimi: WireServer = {
  name: 'kimi',
  maker: 'Moonshot AI',
  model: 'kimi-k2.6',
  path: chat,
  dialect: chatDialect({
    server: 'kimi',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `read_file:${number * 10 + index}`,
    usageOf: openAiUsage,
  }),
  thinks: { ...kimiGuide, when: kimiThinks },
  thoughtsBack: { ...kimiGuide, are: 'required' },
  rules: [
    callsAreAnswered(kimiChat),
    thoughtWithCalls(
      { source: 'https://github.com/continuedev/continue/issues/11600' },
      { thinks: kimiThinks, member: 'reasoning_content' },
      (index) =>
        badRequest(
          `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
        ),
    ),
    {
      source: 'https://github.com/HKUDS/nanobot/issues/3939',
      demands: '`thinking` and `reasoning_effort` are not sent together',
      refuse: (body) =>
        body.thinking !== undefined && body.reasoning_effort !== undefined
          ? badRequest("cannot specify both 'thinking' and 'reasoning_effort'")
          : null,
    },
    {
      source: 'https://platform.kimi.com/docs/api/models-overview',
      demands: '`temperature` is 1 or not sent',
      refuse: (body) =>
        body.temperature === undefined || body.temperature === 1
          ? null
          : badRequest('invalid temperature: only 1 is allowed for this model'),
    },
    noForcedTool({ source: 'https://github.com/simstudioai/sim/pull/5716' }, kimiThinks, (kind) =>
      badRequest(`tool_choice '${kind}' is incompatible with thinking enabled`),
    ),
  ],
  window: {
    wording: 'quoted',
    ...kimiChat,
    tokens: 262_144,
    holdsAnswer: true,
    refuse: (tokens, window, answer) =>
      badRequest(`Invalid request: Your request exceeded model token limit: ${window} (requested: ${tokens + answer})`),
  },
  busy: {
    wording: 'assumed',
    ...kimiChat,
    status: 429,
    message: 'The engine is currently overloaded, please try again later',
    type: 'engine_overloaded_error',
  },
  badKey: {
    wording: 'assumed',
    ...kimiChat,
    status: 401,
    message: 'Invalid Authentication',
    type: 'invalid_authentication_error',
  },
  keyOf: bearer,
  errorBody: ({ message, type }) => ({ error: { message, type: type ?? 'invalid_request_error' } }),
};

const glmGuide = { source: 'https://docs.z.ai/guides/capabilities/thinking-mode' };
const glmReference = { source: 'https://docs.z.ai/api-reference/llm/chat-completion' };

export const glm: WireServer = {
  name: 'glm',
  maker: 'Z.AI',
  model: 'glm-5',
  path: chat,
  dialect: chatDialect({
    server: 'glm',
    place: () => 'reasoning_content',
    calls: 'whole',
    usage: 'always',
    callId: callId('call'),
    usageOf: openAiUsage,
  }),
  thinks: { ...glmGuide, when: (body) => body.thinking?.type !== 'disabled' },
  thoughtsBack: { ...glmGuide, are: 'expected' },
  rules: [
    callsAreAnswered(glmReference),
    {
      source: 'https://java.agentscope.io/v2/en/integration/model/glm',
      demands: '`tool_choice` is auto',
      refuse: (body) =>
        body.tool_choice === undefined || body.tool_choice === 'auto'
          ? null
          : { status: 400, code: '1210', message: 'Invalid API parameter, please check the documentation.' },
    },
    {
      ...glmReference,
      demands: '`thinking` is an object whose `type` is enabled or disabled',
      refuse: (body) =>
        body.thinking === undefined || ['enabled', 'disabled'].includes(body.thinking?.type)
          ? null
          : { status: 400, code: '1210', message: 'Invalid API parameter, please check the documentation.' },
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://docs.z.ai/api-reference/api-code',
    tokens: 202_752,
    holdsAnswer: false,
    refuse: () => ({ status: 400, code: '1261', message: 'Prompt too long' }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://docs.z.ai/api-reference/api-code',
    status: 429,
    code: '1305',
    message: 'The service may be temporarily overloaded, please try again later',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://docs.z.ai/api-reference/api-code',
    status: 401,
    code: '1000',
    message: 'Authentication Failed',
  },
  keyOf: bearer,
  errorBody: ({ message, code }) => ({ error: { code: code ?? '1210', message } }),
};

const miniMaxPage = { source: 'https://platform.minimax.io/docs/api-reference/text-openai-api' };
const miniMaxReference = { source: 'https://platform.minimax.io/docs/api-reference/text-chat-openai.md' };

export const miniMax: WireServer = {
  name: 'minimax',
  maker: 'MiniMax',
  model: 'MiniMax-M3',
  path: chat,
  dialect: chatDialect({
    server: 'minimax',
    place: (body) => (body.reasoning_split === true ? 'minimax_details' : 'think_tags'),
    calls: 'whole',
    usage: 'asked',
    callId: callId('call_function'),
    usageOf: openAiUsage,
  }),
  thinks: { ...miniMaxReference, when: (body) => body.thinking?.type !== 'disabled' },
  thoughtsBack: { ...miniMaxPage, are: 'expected' },
  rules: [
    callsAreAnswered(miniMaxReference),
    oneOf(miniMaxReference, ['thinking.type', ['adaptive', 'disabled']], () => miniMaxRefusal('thinking.type')),
  ],
  window: {
    wording: 'quoted',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    tokens: 1_000_000,
    holdsAnswer: false,
    refuse: () => ({ status: 400, message: 'invalid params, context window exceeds limit (2013)' }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    status: 529,
    type: 'overloaded_error',
    message: 'The server cluster is currently under high load. Please retry after a short wait. (2064)',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    status: 401,
    type: 'authorized_error',
    message: 'invalid api key (2049)',
  },
  keyOf: bearer,
  errorBody: ({ status, message, type }) => ({
    type: 'error',
    error: { type: type ?? 'bad_request_error', message, http_code: String(status) },
    request_id: '0642a7e8',
  }),
};

const miniMaxRefusal = (name: string) => ({ status: 400, message: `invalid params, ${name} (2013)` });

const qwenThinking = { source: 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking' };
const qwenErrors = { source: 'https://www.alibabacloud.com/help/en/model-studio/error-code' };
const qwenThinks = (body: Json) => body.enable_thinking === true;

export const qwen: WireServer = {
  name: 'qwen',
  maker: 'Alibaba',
  model: 'qwen3.7-plus',
  path: chat,
  dialect: chatDialect({
    server: 'qwen',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: callId('call'),
    usageOf: openAiUsage,
  }),
  thinks: { ...qwenThinking, when: qwenThinks },
  thoughtsBack: { ...qwenThinking, are: 'ignored' },
  rules: [
    callsAreAnswered(qwenErrors),
    noForcedTool(qwenErrors, qwenThinks, () =>
      badRequest(
        '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
        { code: 'invalid_parameter_error' },
      ),
    ),
    {
      ...qwenErrors,
      demands: 'a model that thinks is asked for a stream',
      refuse: (body) =>
        qwenThinks(body) && body.stream !== true
          ? badRequest('parameter.enable_thinking must be set to false for non-streaming calls', {
              code: 'invalid_parameter_error',
            })
          : null,
    },
    {
      ...qwenErrors,
      demands: 'a request in JSON mode names json in its messages',
      refuse: (body) =>
        body.response_format?.type === 'json_object' && !/json/i.test(JSON.stringify(body.messages))
          ? badRequest(
              "<400> InternalError.Algo.InvalidParameter: 'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
              { code: 'invalid_parameter_error' },
            )
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    ...qwenErrors,
    tokens: 983_616,
    holdsAnswer: false,
    refuse: (_tokens, window) =>
      badRequest(`<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${window}]`, {
        code: 'invalid_parameter_error',
      }),
  },
  busy: {
    wording: 'assumed',
    ...qwenErrors,
    status: 503,
    message: 'Too many requests. Your requests are being throttled due to system capacity limits.',
    type: 'ServiceUnavailable',
    code: 'ServiceUnavailable',
  },
  badKey: {
    wording: 'assumed',
    ...qwenErrors,
    status: 401,
    message: 'Incorrect API key provided. ',
    code: 'invalid_api_key',
  },
  keyOf: bearer,
  errorBody: (refusal) => ({ ...openAiError(refusal), request_id: 'b4b5f5a0' }),
};
