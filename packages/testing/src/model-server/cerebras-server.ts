import { chatDialect, chatPath } from './chat-dialect.ts';
import {
  callsAreAnswered,
  oneOf,
  onlyMembers,
  onlyMessageMembers,
  openAiUsage,
  plainMembers,
  plainMessage,
} from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const cerebrasPage = { source: 'https://inference-docs.cerebras.ai/resources/openai' };
const cerebrasForm = { source: 'https://github.com/Kilo-Org/kilocode/issues/10375' };

export const cerebras: WireServer = {
  name: 'cerebras',
  maker: 'Cerebras',
  model: 'gpt-oss-120b',
  path: chatPath,
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
