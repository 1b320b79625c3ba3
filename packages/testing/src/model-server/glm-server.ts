import { chatDialect, chatPath } from './chat-dialect.ts';
import { callsAreAnswered, openAiUsage } from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const glmGuide = { source: 'https://docs.z.ai/guides/capabilities/thinking-mode' };
const glmReference = { source: 'https://docs.z.ai/api-reference/llm/chat-completion' };

export const glm: WireServer = {
  name: 'glm',
  maker: 'Z.AI',
  model: 'glm-5',
  path: chatPath,
  dialect: chatDialect({
    server: 'glm',
    place: () => 'reasoning_content',
    calls: 'whole',
    usage: 'always',
    callId: (number, index) => `call_${number}_${index}`,
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
