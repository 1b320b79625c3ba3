// xAI, Together, OpenRouter and the LiteLLM proxy: they let members pass that they do not know.
import { chatDialect } from './chat-dialect.ts';
import { badRequest, callsAreAnswered, oneOf, openAiError, openAiUsage } from './chat-rules.ts';
import { bearer, type Json, type Refusal, type WireServer } from './wire-server.ts';

const chat = /\/chat\/completions$/;
const callId = (number: number, index: number) => `call_${number}x${index}`;

const xaiReasoning = { source: 'https://docs.x.ai/docs/guides/reasoning' };
export const xaiError = ({ message, code }: { message: string; code?: string | number | null }) => ({
  code: code ?? 'Client specified an invalid argument',
  error: message,
});

export const xaiWindow = {
  wording: 'quoted' as const,
  source: 'https://docs.x.ai/docs/models',
  tokens: 256_000,
  holdsAnswer: false,
  refuse: (tokens: number, window: number) => ({
    status: 400,
    message: `This model's maximum prompt length is ${window} but the request contains ${tokens} tokens.`,
  }),
};

export const xaiBusy = {
  wording: 'assumed' as const,
  source: 'https://docs.x.ai/docs/key-information/debugging',
  status: 503,
  code: 'The service is currently unavailable',
  message: 'The model is at capacity. Please try again later.',
};

export const xaiBadKey = {
  wording: 'quoted' as const,
  source: 'https://docs.x.ai/docs/key-information/debugging',
  status: 400,
  message: 'Incorrect API key provided: xa***00. You can obtain an API key from https://console.x.ai.',
};

export const xaiChat: WireServer = {
  name: 'xai-chat',
  maker: 'xAI',
  model: 'grok-4.3',
  path: chat,
  dialect: chatDialect({
    server: 'xai-chat',
    place: () => 'reasoning_content',
    calls: 'whole',
    usage: 'always',
    callId,
    usageOf: openAiUsage,
  }),
  thinks: { ...xaiReasoning, when: (body) => body.reasoning_effort !== 'none' },
  thoughtsBack: { ...xaiReasoning, are: 'ignored' },
  rules: [
    {
      ...xaiReasoning,
      demands: 'a model that reasons gets no penalties and no stop words',
      refuse: (body) => {
        const names = { presence_penalty: 'presencePenalty', frequency_penalty: 'frequencyPenalty', stop: 'stop' };
        const sent = Object.entries(names).find(([name]) => body[name] !== undefined);
        return sent === undefined ? null : { status: 400, message: `Argument not supported on this model: ${sent[1]}` };
      },
    },
    oneOf(
      { source: 'https://newreleases.io/project/github/vercel/ai/release/@ai-sdk%2Fxai@4.0.0-canary.61' },
      ['reasoning_effort', ['none', 'low', 'medium', 'high']],
      (value) => ({ status: 400, message: `Invalid reasoning effort: ${value}` }),
    ),
    callsAreAnswered(xaiReasoning),
  ],
  window: xaiWindow,
  busy: xaiBusy,
  badKey: xaiBadKey,
  keyOf: bearer,
  errorBody: xaiError,
};

const togetherPage = { source: 'https://docs.together.ai/docs/kimi-k2-thinking-quickstart' };
const togetherApi = { source: 'https://github.com/togethercomputer/openapi/blob/main/openapi.yaml' };

export const together: WireServer = {
  name: 'together',
  maker: 'Together',
  model: 'openai/gpt-oss-120b',
  path: chat,
  dialect: chatDialect({
    server: 'together',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'always',
    callId,
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

const openRouterPage = { source: 'https://openrouter.ai/docs/use-cases/reasoning-tokens' };
const openRouterErrors = { source: 'https://openrouter.ai/docs/api-reference/errors' };
const upstream = (raw: string): Refusal => ({
  status: 400,
  message: 'Provider returned error',
  more: { metadata: { raw, provider_name: 'Anthropic' } },
});

export const openRouter: WireServer = {
  name: 'openrouter',
  maker: 'OpenRouter',
  model: 'anthropic/claude-sonnet-4.6',
  path: chat,
  dialect: chatDialect({
    server: 'openrouter',
    place: () => 'reasoning_details',
    calls: 'pieces',
    usage: 'always',
    callId: (number, index) => `toolu_${number}x${index}`,
    usageOf: (tokens) => ({ ...openAiUsage(tokens), cost: 0.001 }),
    chunk: { provider: 'Anthropic' },
    comment: 'OPENROUTER PROCESSING',
  }),
  thinks: {
    ...openRouterPage,
    when: ({ reasoning, reasoning_effort: effort }) =>
      (reasoning !== undefined && reasoning.enabled !== false && reasoning.effort !== 'none') ||
      (effort !== undefined && effort !== 'none'),
  },
  thoughtsBack: { ...openRouterPage, are: 'expected' },
  rules: [
    callsAreAnswered(openRouterErrors),
    oneOf(
      openRouterPage,
      ['reasoning.effort', ['xhigh', 'high', 'medium', 'low', 'minimal', 'none', 'max']],
      (value) => ({ status: 400, message: `reasoning.effort: Invalid option: ${value}` }),
    ),
    {
      ...openRouterPage,
      demands: '`reasoning` names an effort or a number of tokens, not both',
      refuse: ({ reasoning }) =>
        reasoning?.effort !== undefined && reasoning?.max_tokens !== undefined
          ? { status: 400, message: 'Only one of "reasoning.effort" and "reasoning.max_tokens" may be specified' }
          : null,
    },
    {
      source: 'https://github.com/langchain-ai/langchain/issues/36400',
      demands: 'the entries of `reasoning_details` come back as they were, put together, with their signatures',
      refuse(body, memory) {
        for (const [index, message] of (body.messages as Json[]).entries()) {
          const details = (message.reasoning_details ?? []) as Json[];
          const bad = details.find((one) => typeof one.signature !== 'string' || !memory.issued(one.signature));
          if (bad !== undefined) {
            return upstream(
              `{"type":"error","error":{"type":"invalid_request_error","message":"messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block"}}`,
            );
          }
        }
        return null;
      },
    },
  ],
  window: {
    wording: 'quoted',
    ...openRouterErrors,
    tokens: 200_000,
    holdsAnswer: false,
    refuse: (tokens, window, answer) => ({
      status: 400,
      message: `This endpoint's maximum context length is ${window} tokens. However, you requested about ${tokens + answer} tokens (${tokens} of text input, ${answer} in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
    }),
  },
  busy: { wording: 'assumed', ...openRouterErrors, status: 502, message: 'Provider returned error' },
  badKey: { wording: 'assumed', ...openRouterErrors, status: 401, message: 'User not found.' },
  keyOf: bearer,
  errorBody: ({ status, message, more }) => ({ error: { message, code: status, ...more }, user_id: 'user_0' }),
};

const liteLlmReasoning = { source: 'https://docs.litellm.ai/docs/reasoning_content' };
const liteLlmDrop = { source: 'https://github.com/BerriAI/litellm/issues/14039' };

export const liteLlm: WireServer = {
  name: 'litellm',
  maker: 'LiteLLM',
  model: 'claude-sonnet-4-6',
  path: chat,
  dialect: chatDialect({
    server: 'litellm',
    place: () => 'thinking_blocks',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `toolu_${number}x${index}`,
    usageOf: openAiUsage,
  }),
  thinks: {
    ...liteLlmReasoning,
    when: (body) =>
      (body.reasoning_effort !== undefined && body.reasoning_effort !== 'none') ||
      ['enabled', 'adaptive'].includes(body.thinking?.type),
  },
  thoughtsBack: { ...liteLlmReasoning, are: 'expected' },
  rules: [
    callsAreAnswered(liteLlmReasoning),
    {
      ...liteLlmDrop,
      demands: 'a parameter that the model does not take is not sent, as long as drop_params is off',
      refuse: (body) =>
        body.seed !== undefined || body.verbosity !== undefined
          ? liteLlmRefusal(
              `litellm.UnsupportedParamsError: anthropic does not support parameters: ['${body.seed === undefined ? 'verbosity' : 'seed'}'], for model=claude-sonnet-4-6. To drop these, set \`litellm.drop_params=True\` or for proxy:\n\n\`litellm_settings:\n drop_params: true\`\n. \n If you want to use these params dynamically send allowed_openai_params=['seed'] in your request.`,
            )
          : null,
    },
    {
      source: 'https://docs.litellm.ai/docs/reasoning_content',
      demands: 'the signature of each block of `thinking_blocks` is one that was sent',
      refuse(body, memory) {
        for (const message of body.messages as Json[]) {
          const bad = ((message.thinking_blocks ?? []) as Json[]).some((one) => !memory.issued(one.signature));
          if (bad) {
            return liteLlmRefusal(
              'litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}',
            );
          }
        }
        return null;
      },
    },
  ],
  window: {
    wording: 'quoted',
    ...liteLlmDrop,
    tokens: 200_000,
    holdsAnswer: false,
    refuse: (tokens, window) =>
      liteLlmRefusal(
        `litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: ${tokens} tokens > ${window} maximum"}}`,
      ),
  },
  busy: {
    wording: 'assumed',
    ...liteLlmDrop,
    status: 503,
    code: '503',
    type: null,
    message:
      'litellm.ServiceUnavailableError: AnthropicException - {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  },
  badKey: {
    wording: 'assumed',
    ...liteLlmDrop,
    status: 401,
    type: 'token_not_found_in_db',
    param: 'key',
    code: '401',
    message:
      'Authentication Error, Invalid proxy server token passed. Unable to find token in cache or `LiteLLM_VerificationTokenTable`',
  },
  keyOf: bearer,
  errorBody: ({ status, message, type, param, code }) => ({
    error: { message, type: type ?? null, param: param ?? null, code: code ?? String(status) },
  }),
};

const liteLlmRefusal = (message: string): Refusal => ({ status: 400, message });
