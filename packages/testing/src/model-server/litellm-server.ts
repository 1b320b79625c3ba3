import { chatDialect, chatPath } from './chat-dialect.ts';
import { callsAreAnswered, openAiUsage } from './chat-rules.ts';
import { bearer, type Json, type Refusal, type WireServer } from './wire-server.ts';

const liteLlmReasoning = { source: 'https://docs.litellm.ai/docs/reasoning_content' };
const liteLlmDrop = { source: 'https://github.com/BerriAI/litellm/issues/14039' };

export const liteLlm: WireServer = {
  name: 'litellm',
  maker: 'LiteLLM',
  model: 'claude-sonnet-4-6',
  path: chatPath,
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
