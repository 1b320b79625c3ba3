// OpenAI, Groq, Cerebras, Mistral and Fireworks: they refuse members that they do not know.
import { chatDialect } from './chat-dialect.ts';
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
import { bearer, type Json, type WireServer } from './wire-server.ts';

const chat = /\/chat\/completions$/;
const callId = (number: number, index: number) => `call_${number}x${index}`;

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
  path: chat,
  dialect: chatDialect({
    server: 'openai-chat',
    // The vendor's chat completions show no thoughts.
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId,
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

const groqSdk = {
  source: 'https://github.com/groq/groq-typescript/blob/main/src/resources/chat/completions.ts',
};
const groqReasoning = { source: 'https://console.groq.com/docs/reasoning' };

export const groq: WireServer = {
  name: 'groq',
  maker: 'Groq',
  model: 'openai/gpt-oss-120b',
  path: chat,
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

const cerebrasPage = { source: 'https://inference-docs.cerebras.ai/resources/openai' };
const cerebrasForm = { source: 'https://github.com/Kilo-Org/kilocode/issues/10375' };

export const cerebras: WireServer = {
  name: 'cerebras',
  maker: 'Cerebras',
  model: 'gpt-oss-120b',
  path: chat,
  dialect: chatDialect({
    server: 'cerebras',
    place: () => 'reasoning',
    calls: 'whole',
    usage: 'at the end',
    callId: (number, index) => `${number}a${index}f00d`,
    usageOf: openAiUsage,
  }),
  thinks: { ...cerebrasPage, when: () => true },
  thoughtsBack: { ...cerebrasPage, are: 'ignored' },
  rules: [
    onlyMembers(
      { source: 'https://github.com/router-for-me/CLIProxyAPI/discussions/1144' },
      [
        ...plainMembers.filter((name) => !/penalty/.test(name)),
        ...['max_completion_tokens', 'stream_options', 'parallel_tool_calls', 'reasoning_effort', 'reasoning_format'],
        ...['seed', 'n', 'user', 'service_tier', 'logprobs', 'top_logprobs', 'logit_bias', 'disable_reasoning'],
        ...['prediction', 'clear_thinking'],
      ],
      ({ name }) => cerebrasRefusal(422, `body.${name}: property 'body.${name}' is unsupported`),
    ),
    onlyMessageMembers(
      cerebrasForm,
      { ...plainMessage, assistant: [...plainMessage.assistant, 'reasoning'] },
      ({ name, index, role }) => {
        const at = `messages.${index}.${role}.${name}`;
        return cerebrasRefusal(400, `${at}: property '${at}' is unsupported`);
      },
    ),
    callsAreAnswered(cerebrasPage),
    oneOf(
      { source: 'https://github.com/router-for-me/CLIProxyAPI/discussions/1144' },
      ['reasoning_effort', ['low', 'medium', 'high']],
      () => cerebrasRefusal(422, "body.reasoning_effort: Input should be 'low', 'medium' or 'high'"),
    ),
  ],
  window: {
    wording: 'assumed',
    ...cerebrasPage,
    tokens: 131_072,
    holdsAnswer: false,
    refuse: (tokens, window) => ({
      status: 400,
      message: `Please reduce the length of the messages or completion. Current length is ${tokens} while limit is ${window}`,
      param: 'messages',
      code: 'context_length_exceeded',
    }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://inference-docs.cerebras.ai/support/error',
    status: 429,
    message: "We're experiencing high traffic right now! Please try again soon.",
    type: 'too_many_requests_error',
    param: 'queue',
    code: 'queue_exceeded',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://inference-docs.cerebras.ai/support/error',
    status: 401,
    message: 'Wrong API Key',
    param: 'api_key',
    code: 'wrong_api_key',
  },
  keyOf: bearer,
  // The vendor's error is not inside a member `error`.
  errorBody: ({ message, type, param, code }) => ({
    message,
    type: type ?? 'invalid_request_error',
    param: param ?? 'validation_error',
    code: code ?? 'wrong_api_format',
  }),
};

const cerebrasRefusal = (status: number, message: string) => ({ status, message });

const mistralSdk = {
  source: 'https://github.com/mistralai/client-python/blob/main/src/mistralai/models/chatcompletionstreamrequest.py',
};
const mistralReasoning = { source: 'https://docs.mistral.ai/inference/conversations/reasoning' };
const extra = (loc: readonly unknown[], input: unknown) => ({
  status: 422,
  message: JSON.stringify([{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input }]),
});

export const mistral: WireServer = {
  name: 'mistral',
  maker: 'Mistral',
  model: 'mistral-medium-3-5',
  path: chat,
  dialect: chatDialect({
    server: 'mistral',
    place: () => 'content_parts',
    calls: 'whole',
    usage: 'at the end',
    callId: (number, index) => `a${String(number).padStart(4, '0')}b${String(index).padStart(3, '0')}`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      completion_tokens: thinking + output,
      total_tokens: input + thinking + output,
    }),
  }),
  thinks: {
    ...mistralReasoning,
    when: (body) => body.reasoning_effort !== undefined && body.reasoning_effort !== 'none',
  },
  thoughtsBack: { ...mistralReasoning, are: 'expected' },
  rules: [
    onlyMembers(
      mistralSdk,
      [
        ...plainMembers,
        ...['random_seed', 'metadata', 'n', 'prediction', 'parallel_tool_calls', 'prompt_mode', 'safe_prompt'],
        ...['reasoning_effort', 'guardrails', 'prompt_cache_key'],
      ],
      ({ name, value }) => extra(['body', name], value),
    ),
    onlyMessageMembers(
      { source: 'https://github.com/charmbracelet/crush/issues/1590' },
      {
        system: ['role', 'content'],
        user: ['role', 'content'],
        assistant: ['role', 'content', 'tool_calls', 'prefix'],
        tool: ['role', 'content', 'tool_call_id', 'name'],
      },
      ({ name, value, index, role }) => extra(['body', 'messages', index, role, name], value),
    ),
    oneOf(mistralReasoning, ['reasoning_effort', ['high', 'none']], (value) => ({
      status: 422,
      message: JSON.stringify([
        { type: 'enum', loc: ['body', 'reasoning_effort'], msg: "Input should be 'high' or 'none'", input: value },
      ]),
    })),
    {
      source: 'https://github.com/sst/opencode/issues/1680',
      demands: 'the id of a tool call has nine letters or digits',
      refuse: (body) => {
        const ids = (body.messages as Json[]).flatMap((message) => [
          ...(message.tool_calls ?? []).map((call: Json) => String(call.id)),
          ...(message.role === 'tool' ? [String(message.tool_call_id)] : []),
        ]);
        const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
        return bad === undefined
          ? null
          : {
              status: 400,
              type: 'invalid_request_message_order',
              code: '3280',
              message: `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
            };
      },
    },
    {
      source: 'https://docs.mistral.ai/capabilities/function_calling',
      demands: 'the last message is of a user or a tool',
      refuse: (body) => {
        const last = (body.messages as Json[]).at(-1);
        return last.role === 'user' || last.role === 'tool' || last.prefix === true
          ? null
          : {
              status: 400,
              type: 'invalid_request_message_order',
              code: '3230',
              message: `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last.role}`,
            };
      },
    },
    callsAreAnswered(mistralSdk),
  ],
  window: {
    wording: 'quoted',
    source: 'https://docs.mistral.ai/resources/known-limitations',
    tokens: 262_144,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      type: 'invalid_request_prompt',
      code: '3051',
      message: `Prompt contains ${tokens} tokens and ${answer} draft tokens, too large for model with ${window} maximum context length`,
    }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://docs.mistral.ai/resources/known-limitations',
    status: 503,
    type: 'unreachable_backend',
    code: '1100',
    message: 'Service unavailable.',
  },
  badKey: { wording: 'quoted', source: 'https://docs.mistral.ai/api', status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type, code }) => {
    if (status === 401) return { detail: message };
    return status === 422
      ? {
          object: 'error',
          message: { detail: JSON.parse(message) },
          type: 'invalid_request_error',
          param: null,
          code: null,
        }
      : { object: 'error', message, type: type ?? 'invalid_request_error', param: null, code: code ?? null };
  },
};

const fireworksReference = { source: 'https://docs.fireworks.ai/api-reference/post-chatcompletions.md' };
const fireworksReasoning = { source: 'https://docs.fireworks.ai/guides/reasoning' };

export const fireworks: WireServer = {
  name: 'fireworks',
  maker: 'Fireworks',
  model: 'accounts/fireworks/models/gpt-oss-120b',
  path: chat,
  dialect: chatDialect({
    server: 'fireworks',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'always',
    callId,
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
