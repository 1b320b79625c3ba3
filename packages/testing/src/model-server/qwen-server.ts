import { chatDialect, chatPath } from './chat-dialect.ts';
import { badRequest, callsAreAnswered, noForcedTool, openAiError, openAiUsage } from './chat-rules.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const qwenThinking = { source: 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking' };
const qwenErrors = { source: 'https://www.alibabacloud.com/help/en/model-studio/error-code' };
const qwenThinks = (body: Json) => body.enable_thinking === true;

export const qwen: WireServer = {
  name: 'qwen',
  maker: 'Alibaba',
  model: 'qwen3.7-plus',
  path: chatPath,
  dialect: chatDialect({
    server: 'qwen',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `call_${number}_${index}`,
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
