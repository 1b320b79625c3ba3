import { chatDialect, chatPath } from './chat-dialect.ts';
import { oneOf } from './chat-rules.ts';
import { pydantic, vllmEfforts } from './vllm-server.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const sglangSource = {
  source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/protocol.py',
};

export const sglang: WireServer = {
  name: 'sglang',
  maker: 'SGLang',
  model: 'deepseek-ai/DeepSeek-V3.2',
  path: chatPath,
  dialect: chatDialect({
    server: 'sglang',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `call_${number}${index}9f3c`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      total_tokens: input + thinking + output,
      completion_tokens: thinking + output,
      prompt_tokens_details: null,
      reasoning_tokens: thinking,
    }),
  }),
  thinks: { ...sglangSource, when: (body) => body.chat_template_kwargs?.thinking === true },
  thoughtsBack: { ...sglangSource, are: 'ignored' },
  rules: [
    oneOf(sglangSource, ['reasoning_effort', vllmEfforts], (value) =>
      pydantic('reasoning_effort', vllmEfforts.map((one) => `'${one}'`).join(', '), value),
    ),
    {
      ...sglangSource,
      demands: 'a message of the assistant has `reasoning_content`, where it has it, as a string',
      refuse: (body) =>
        (body.messages as Json[]).some(
          ({ reasoning_content: thought }) => thought !== undefined && thought !== null && typeof thought !== 'string',
        )
          ? { status: 400, message: 'Input should be a valid string' }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/tokenizer_manager.py',
    tokens: 131_072,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      message:
        tokens > window
          ? `The input (${tokens} tokens) is longer than the model's context length (${window} tokens).`
          : `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${tokens + answer} tokens: ${tokens} tokens from the input messages and ${answer} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`,
    }),
  },
  busy: {
    wording: 'assumed',
    ...sglangSource,
    status: 503,
    message: 'The request queue is full.',
    type: 'ServiceUnavailable',
  },
  badKey: { wording: 'assumed', ...sglangSource, status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type }) =>
    status === 401
      ? { error: message }
      : { object: 'error', message, type: type ?? 'BadRequestError', param: null, code: status },
};
