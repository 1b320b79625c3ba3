import { chatDialect, chatPath } from './chat-dialect.ts';
import { oneOf } from './chat-rules.ts';
import { bearer, type Json, type Refusal, type WireServer } from './wire-server.ts';

const vllmSource = {
  source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py',
};
export const vllmEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** An error of the checks that pydantic makes, as the server prints it. */
export const pydantic = (loc: string, expected: string, value: unknown): Refusal => ({
  status: 400,
  type: 'Bad Request',
  message: `[{'type': 'literal_error', 'loc': ('body', '${loc}'), 'msg': "Input should be ${expected}", 'input': '${value}'}]`,
});
/** Whether the template of a model is asked to think. */
export const templateThinks = (body: Json) =>
  body.chat_template_kwargs?.enable_thinking !== false && body.chat_template_kwargs?.thinking !== false;

export const vllm: WireServer = {
  name: 'vllm',
  maker: 'vLLM',
  model: 'Qwen/Qwen3.6-35B-A3B',
  path: chatPath,
  dialect: chatDialect({
    server: 'vllm',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `chatcmpl-tool-${number}x${index}`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      total_tokens: input + thinking + output,
      completion_tokens: thinking + output,
    }),
  }),
  thinks: { ...vllmSource, when: templateThinks },
  thoughtsBack: {
    source: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs/',
    are: 'expected',
  },
  rules: [
    oneOf(vllmSource, ['reasoning_effort', vllmEfforts], (value) =>
      pydantic('reasoning_effort', vllmEfforts.map((one) => `'${one}'`).join(', '), value),
    ),
    oneOf(vllmSource, ['tool_choice', ['none', 'auto', 'required']], (value) =>
      pydantic('tool_choice', "'none', 'auto' or 'required'", value),
    ),
    {
      ...vllmSource,
      demands: '`stream_options` comes with `stream` alone',
      refuse: (body) =>
        body.stream_options !== undefined && body.stream !== true
          ? { status: 400, message: 'Stream options can only be defined when `stream=True`.' }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/engine/serving.py',
    tokens: 131_072,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      param: 'input_tokens',
      message:
        tokens > window
          ? `This model's maximum context length is ${window} tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`
          : `'max_tokens' or 'max_completion_tokens' is too large: ${answer}. This model's maximum context length is ${window} tokens and your request has ${tokens} input tokens (${answer} > ${window} - ${tokens}).`,
    }),
  },
  busy: {
    wording: 'assumed',
    ...vllmSource,
    status: 503,
    message: 'The server is overloaded.',
    type: 'ServiceUnavailable',
  },
  badKey: { wording: 'assumed', ...vllmSource, status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type, param }) =>
    status === 401
      ? { error: message }
      : { error: { message, type: type ?? 'BadRequestError', param: param ?? null, code: status } },
};
