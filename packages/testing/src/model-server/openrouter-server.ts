import { chatDialect, chatPath } from './chat-dialect.ts';
import { callsAreAnswered, oneOf, openAiUsage } from './chat-rules.ts';
import { bearer, type Json, type Refusal, type WireServer } from './wire-server.ts';

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
  path: chatPath,
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
